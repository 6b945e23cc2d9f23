import { readdir } from 'node:fs/promises'
import { defineTool, error, resource, runTools, value } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'

const listNotes = defineTool({
  name: 'list_notes',
  summary: 'List the notes.',
  async run({ root }) {
    const notes = (await readdir(root)).filter((name) => name.endsWith('.md')).toSorted()
    const rows = notes.map((name) => ({ name }))
    const table = { kind: 'table', data: { columns: [{ key: 'name' }], rows } }
    // The table is for people, the words are for the model.
    return value(table, `${notes.length} notes: ${notes.join(', ')}`)
  },
})

const readNote = defineTool({
  name: 'read_note',
  summary: 'Read a note.',
  arguments: Type.Object({ name: Type.String() }),
  async run({ arguments: { name } }) {
    try {
      // The host knows it by its uri and type: it is fenced, stored and not sent twice.
      return await resource(name)
    } catch (cause) {
      return error(`There is no note ${name}. Use list_notes to see which there are.`, { cause })
    }
  },
})

await runTools([listNotes, readNote])
