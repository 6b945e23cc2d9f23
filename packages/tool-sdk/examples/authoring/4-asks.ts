import { readFile, rename, rm } from 'node:fs/promises'
import { defineTool, runTools, text } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'

const removeNote = defineTool({
  name: 'remove_note',
  summary: 'Remove a note.',
  annotations: { destructiveHint: true },
  inputSchema: Type.Object({ name: Type.String() }),
  formatArguments: ({ name }) => `rm ${name}`,
  async run({ name }, { ask, show }) {
    const note = await readFile(name, 'utf8')
    if (note === '') {
      await rm(name)
      return text(`${name} was empty, and is removed.`)
    }
    // Shown with the question. A run without the answer ends there; one with it gets past.
    show(text(note))
    const how = ask.select('how', `${name} is not empty. Remove it?`, ['keep', 'trash', 'forever'])
    if (how === 'keep') return text(`${name} was kept.`)
    await (how === 'trash' ? rename(name, `${name}.trash`) : rm(name))
    return text(`${name} is removed.`)
  },
})

await runTools([removeNote])
