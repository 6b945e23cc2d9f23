// Two questions, where the second depends on the answer to the first.
import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { defineTool, failure, runTools, text } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'

const fileNote = defineTool({
  name: 'file_note',
  summary: 'Move a note into a folder that the user chooses.',
  inputSchema: Type.Object({ note: Type.String() }),
  formatArguments: ({ note }) => `File ${note} in a folder that you choose.`,
  async run({ note }, { ask, show, root }) {
    const entries = await readdir(root, { withFileTypes: true })
    if (!entries.some((entry) => entry.name === note))
      return failure(`There is no note ${note} in the workspace. Name a file of its first level.`)
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
    show(text(`There are ${folders.length} folders.`))
    const chosen = ask.select('folder', `Where does ${note} belong?`, [
      ...folders.toSorted(),
      'another',
    ])
    const folder = chosen === 'another' ? ask.text('name', 'What is the new folder?') : chosen
    // Everything is answered, so the run may change files now.
    await mkdir(join(root, folder), { recursive: true })
    await rename(join(root, note), join(root, folder, note))
    return `${note} is in ${folder}.`
  },
})

await runTools([fileNote])
