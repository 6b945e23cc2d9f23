import { readFile } from 'node:fs/promises'
import { defineTool, runTools, text } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'

const countLines = defineTool({
  name: 'count_lines',
  summary: 'Count the lines of a file.',
  arguments: Type.Object({
    path: Type.String({ description: 'Relative to the workspace.' }),
    blank: Type.Optional(Type.Boolean({ description: 'Whether blank lines count; they do.' })),
  }),
  async run({ arguments: { path, blank = true } }) {
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
    const counted = blank ? lines : lines.filter((line) => line.trim() !== '')
    return text(`${path}: ${counted.length} lines`)
  },
})

await runTools([countLines])
