import { expect, test } from 'vitest'
import { visit } from '../stage/command.ts'
import { makeFolder, createPrintCommand, toToolOutput, tool } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'
import { readRows } from '../stage/rows.ts'
import { outdent, getScreen } from '../stage/screen.ts'
import { readPage, startView } from '../stage/view.ts'

/** An image of one pixel. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const VALUES = {
  text: { data: { content: '# Lamps\n\nThe **third** is out.' }, mimeType: 'text/markdown' },
  diff: { data: { path: 'main.rs', original: 'on();\n', modified: 'off();\n', isNew: false } },
  file_content: { data: { path: 'a.py', content: 'print("lit")\n', size: 13 } },
  file_list: {
    data: {
      path: 'src',
      entries: [
        { name: 'main.rs', type: 'file', size: 2048 },
        { name: 'lamps', type: 'directory' },
      ],
    },
  },
  table: {
    data: {
      columns: [
        { key: 'path', label: 'Path' },
        { key: 'lines', type: 'number', align: 'right' },
      ],
      rows: [
        { path: 'README.md', lines: 3 },
        { path: 'main.rs', lines: 110 },
      ],
    },
  },
  image: { data: { base64: PICTURE, alt: 'A lighthouse' }, mimeType: 'image/png' },
  structured: { data: { branch: 'main', ahead: [1, 2] } },
}
const KINDS = Object.keys(VALUES)

test('002 well-known types: a person sees each kind in its form, at a terminal and in a browser; the model receives the text', async () => {
  const model = await startProvider([
    { calls: KINDS.map((kind) => [kind, {}] as const) },
    { text: 'Shown.' },
  ])
  const files = Object.entries(VALUES).map(([kind, value]) => {
    const content = [{ type: 'text', text: `Words of ${kind}.` }]
    return [`${kind}.json`, toToolOutput(content, { structuredContent: { kind, ...value } })]
  })
  const tools = KINDS.map((kind) => tool(kind, createPrintCommand(`${kind}.json`)))
  const folder = makeFolder({
    ...Object.fromEntries(files),
    'toolblocks.toml': `${model.settings}${tools.join('')}`,
  })
  const { written } = await visit(folder, ['run', 'Show all.'], [])
  const texts = KINDS.map((kind) => `Words of ${kind}.`)
  const results = model.results()
  expect(results.map((text) => text.split('\n')[0])).toEqual(texts)
  expect(results.join('')).not.toMatch(/third|off\(\)|lit|main\.rs|README|iVBOR|branch/)

  const screen = outdent(await getScreen(written))
  for (const part of [
    '# Lamps\n\nThe third is out.\n',
    'main.rs  changed · +1 −1\n│ 1   -on();\n│   1 +off();\n',
    'a.py  13 bytes\n│ print("lit")\n',
    'src  2 entries\n  main.rs  2.0 KB\n  lamps/\n',
    'Path       lines\n─────────  ─────\nREADME.md      3\nmain.rs      110\n',
    'image  A lighthouse · image/png · 70 bytes\n',
    '{\n  "branch": "main",\n  "ahead": [\n    1,\n    2\n  ]\n}\n',
  ])
    expect(screen).toContain(part)

  const id = readRows(`${folder}/kept.db`)[0]?.conversation ?? ''
  const { address } = await startView(folder, id)
  const page = await readPage(address)
  for (const part of [
    '<p>The <strong>third</strong> is out.</p>',
    '<del>on</del>();',
    '<ins>off</ins>();',
    '<span class="tb-code-string">&quot;lit&quot;</span>',
    '<code>lamps/</code>',
    '<td class="tb-to-right">110</td>',
    `<img src="data:image/png;base64,${PICTURE}"`,
    '&quot;branch&quot;: &quot;main&quot;',
  ])
    expect(page).toContain(part)
})
