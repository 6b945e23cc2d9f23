import { expect, test } from 'vitest'
import { toolblocks, visit } from '../stage/command.ts'
import { makeFolder, createPrintCommand, toToolOutput, tool } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'
import { outdent, getScreen } from '../stage/screen.ts'

/** Creates a folder whose tools print these values with a text, and a model that calls all of them. */
async function makeShow(values: Readonly<Record<string, object>>, more = '') {
  const names = Object.keys(values)
  const calls = names.map((name) => [name, {}] as const)
  const model = await startProvider([{ calls }, { text: 'Shown.' }])
  const files = Object.entries(values).map(([name, structuredContent]) => {
    const content = [{ type: 'text', text: `Words of ${name}.` }]
    return [`${name}.json`, toToolOutput(content, { structuredContent })] as const
  })
  const tools = names.map((name) => tool(name, createPrintCommand(`${name}.json`)))
  const folder = makeFolder({
    ...Object.fromEntries(files),
    'toolblocks.toml': model.settings + more + tools.join(''),
  })
  return { folder, model }
}

test('002 unknown kinds: an unknown kind is shown by its hint, its MIME type, its shape, or as JSON, below its summary', async () => {
  const { folder } = await makeShow({
    status: {
      kind: 'git.status',
      data: { branch: 'main', staged: ['a.rs'] },
      summary: '1 staged',
      mimeType: 'text/plain',
      display: { preferredView: 'tree' },
    },
    note: { kind: 'own.note', data: '# Lamps\n\n- one', mimeType: 'text/markdown' },
    facts: { kind: 'own.facts', data: { a: 1 }, mimeType: 'application/json' },
    rows: {
      kind: 'own.rows',
      data: [
        { n: 1, word: 'a' },
        { n: 22, word: 'b' },
      ],
    },
    words: { kind: 'own.words', data: 'just words' },
    deep: { kind: 'own.deep', data: { a: { b: [true] } } },
  })
  const { written } = await visit(folder, ['run', 'Show all.'], [])
  const screen = outdent(await getScreen(written))
  for (const part of [
    '1 staged\n├ branch: main\n└ staged: (1 item)\n  └ 0: a.rs\n',
    'own.note\n# Lamps\n\n• one\n',
    'own.facts\n└ a: 1\n',
    'own.rows\n n  word\n──  ────\n 1  a\n22  b\n',
    'own.words\njust words\n',
    'own.deep\n{\n  "a": {\n    "b": [\n      true\n    ]\n  }\n}\n',
  ])
    expect(screen).toContain(part)
})

test('002 display hints: hidden content is one line on the screen, collapsed content its summary, and maxHeight counts lines; the model receives all texts', async () => {
  const rows = Array.from({ length: 60 }, (_, index) => ({ name: `row ${index + 1}` }))
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n')
  const { folder, model } = await makeShow({
    inner: { kind: 'own.inner', data: { a: 1 }, display: { preferredView: 'hidden' } },
    long: {
      kind: 'table',
      data: { columns: [{ key: 'name' }], rows },
      summary: '60 rows of names',
      display: { collapsed: true },
    },
    high: { kind: 'text', data: { content: lines }, display: { maxHeight: 5 } },
  })
  const { written } = await visit(folder, ['run', 'Show all.'], [])
  const screen = outdent(await getScreen(written))
  expect(screen).toContain('▸ inner\n(own.inner: hidden, as the tool asks)\n✓')
  expect(screen).toMatch(/Words of long\.\n+▸ 60 rows of names \(folded, as the tool asks; /)
  expect(screen).toContain('line 5\n… 25 more lines (')
  expect(screen).not.toMatch(/row 1|line 6/)
  expect(model.results().map((result) => result.split('\n')[0])).toEqual([
    'Words of inner.',
    'Words of long.',
    'Words of high.',
  ])

  const all = await visit(folder, ['call', 'long', '--lines', 'all'], [])
  expect(await getScreen(all.written)).toMatch(/60 rows of names\nname *\n─+\nrow 1\n[^]*row 60$/)
})

test('002 migration: a value in the older form, with its fields beside its kind, is shown like a new one', async () => {
  const { folder } = await makeShow({
    flat: {
      kind: 'diff',
      path: 'main.rs',
      original: 'on();\n',
      modified: 'off();\n',
      isNew: false,
    },
  })
  const { stdout } = await toolblocks(folder, 'run', 'Change it.')
  expect(outdent(stdout)).toContain('main.rs  changed · +1 −1\n│ 1   -on();\n│   1 +off();\n')
})

test('002 kinds: an invalid kind name, and data that does not match its kind, are shown as complete JSON', async () => {
  const { folder } = await makeShow({
    named: { kind: 'No Kind', data: { a: 1 } },
    shaped: { kind: 'diff', data: { lines: 3 }, summary: 'Three lines' },
  })
  const { stdout } = await toolblocks(folder, 'run', 'Show all.')
  expect(outdent(stdout)).toContain('{\n  "kind": "No Kind",\n  "data": {\n    "a": 1\n  }\n}\n')
  expect(outdent(stdout)).toContain('Three lines\n{\n  "lines": 3\n}\n')
})

test('002 for the model: the model receives the text of a tool; the value instead, or both, if [format] structured is set so', async () => {
  const value = { kind: 'own.count', data: { lamps: 4 }, summary: '4 lamps' }
  const text = 'Words of count.'
  const beside = '[structured content, shown to the person: own.count, 4 lamps]'
  const json = `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``
  const results = await Promise.all(
    ['auto', 'content', 'structured', 'both'].map(async (policy) => {
      const format = `[format]\nstructured = "${policy}"\n`
      const { folder, model } = await makeShow({ count: value }, format)
      await toolblocks(folder, 'run', 'Count.')
      return model.results().join('')
    }),
  )
  expect(results).toEqual([
    `${text}\n\n${beside}`,
    `${text}\n\n${beside}`,
    json,
    `${text}\n\n${json}`,
  ])
})
