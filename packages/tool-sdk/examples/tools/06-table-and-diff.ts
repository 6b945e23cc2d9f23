// Results that a person sees by their kind: a table, and the change of a file.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineTool, diff, failure, runTools, table } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'

const countWords = defineTool({
  name: 'count_words',
  summary: 'Count how often each word occurs in a file.',
  inputSchema: Type.Object({ path: Type.String(), least: Type.Integer({ default: 1 }) }),
  annotations: { readOnlyHint: true },
  async run({ path, least }, { root }) {
    const terms = (await readFile(join(root, path), 'utf8')).toLowerCase().match(/\p{L}+/gu) ?? []
    const counts = new Map<string, number>()
    for (const word of terms) counts.set(word, (counts.get(word) ?? 0) + 1)
    const rows = [...counts]
      .map(([word, count]) => ({ word, count }))
      .filter(({ count }) => count >= least)
    return table({
      rows: rows.toSorted((one, other) => other.count - one.count),
      columns: [
        { key: 'word', label: 'Word' },
        { key: 'count', label: 'Count', align: 'right' },
      ],
    })
  },
})

const replaceWord = defineTool({
  name: 'replace_word',
  summary: 'Replace a word in a file.',
  inputSchema: Type.Object({ path: Type.String(), word: Type.String(), by: Type.String() }),
  async run({ path, word, by }, { root }) {
    const file = join(root, path)
    const original = await readFile(file, 'utf8')
    const modified = original.replaceAll(word, by)
    if (modified === original) return failure(`${path} does not contain ${JSON.stringify(word)}.`)
    await writeFile(file, modified)
    return diff({ path, original, modified })
  },
})

await runTools([countWords, replaceWord])
