import { readFile } from 'node:fs/promises'
import { defineTool, runTools } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'

const countLines = defineTool({
  name: 'count_lines',
  summary: 'Count the lines of a file.',
  inputSchema: Type.Object({
    path: Type.String({ description: 'Relative to the workspace.' }),
    blank: Type.Boolean({ default: true, description: 'Whether to count blank lines.' }),
  }),
  examples: [{ path: 'README.md' }],
  annotations: { readOnlyHint: true },
  async run({ path, blank }, { log, signal }) {
    const lines = (await readFile(path, { encoding: 'utf8', signal })).trimEnd().split('\n')
    log(`read ${lines.length} lines`)
    const counted = blank ? lines : lines.filter((line) => line.trim() !== '')
    return `${path}: ${counted.length} lines`
  },
})

await runTools([countLines])
