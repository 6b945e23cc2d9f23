import { readdir, stat } from 'node:fs/promises'
import { defineTool, failure, resource, runTools, table } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'

const listNotes = defineTool({
  name: 'list_notes',
  summary: 'List the notes.',
  async run(_args, { root, progress }) {
    const names = (await readdir(root)).filter((name) => name.endsWith('.md')).toSorted()
    const rows: { name: string; bytes: number }[] = []
    for (const name of names) {
      rows.push({ name, bytes: (await stat(name)).size })
      progress(rows.length, names.length)
    }
    // A person sees a table, a model reads the same rows in Markdown.
    return table({ rows, columns: ['name', { key: 'bytes', label: 'Bytes' }] })
  },
})

const readNote = defineTool({
  name: 'read_note',
  summary: 'Read a note.',
  inputSchema: Type.Object({ name: Type.String() }),
  async run({ name }) {
    try {
      // The host knows it by its uri and type: it puts it into a code block, stores it, and does not send it twice.
      return await resource(name)
    } catch (cause) {
      return failure(`There is no note ${name}. Call list_notes to see the names.`, { cause })
    }
  },
})

const countNotes = defineTool({
  name: 'count_notes',
  summary: 'Count the notes.',
  // `run` must return this data, or a failure.
  outputSchema: Type.Object({ notes: Type.Integer(), bytes: Type.Integer() }),
  async run(_args, { root }) {
    const names = (await readdir(root)).filter((name) => name.endsWith('.md'))
    const sizes = await Promise.all(names.map(async (name) => (await stat(name)).size))
    return { notes: names.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
  },
})

await runTools([listNotes, readNote, countNotes])
