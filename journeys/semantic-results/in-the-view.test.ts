import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder, createPrintCommand, toToolOutput, tool } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'
import { readRows } from '../stage/rows.ts'
import { readPage, startView } from '../stage/view.ts'

test('002 browser: a page folds collapsed content, scrolls high content, hides internal content, and links addresses but not scripts', async () => {
  const rows = [
    { when: '2026-01-31T12:00:00Z', at: 'https://example.com/lamp', path: 'src/lamp.rs' },
    { when: '2026-02-01T12:00:00Z', at: 'javascript:alert(1)', path: 'src/oil.rs' },
  ]
  const values = {
    folded: { kind: 'own.rows', data: rows, summary: 'Two lamps', display: { collapsed: true } },
    typed: {
      kind: 'own.rows',
      data: rows,
      display: { fieldTypes: { when: 'date', at: 'url', path: 'path' } },
    },
    high: { kind: 'text', data: { content: 'oil\n'.repeat(50) }, display: { maxHeight: 10 } },
    inner: { kind: 'own.inner', data: { wick: 1 }, display: { preferredView: 'hidden' } },
  }
  const names = Object.keys(values)
  const calls = names.map((name) => [name, {}] as const)
  const model = await startProvider([{ calls }, { text: 'Shown.' }])
  const files = Object.entries(values).map(([name, structuredContent]) => [
    `${name}.json`,
    toToolOutput([{ type: 'text', text: 'Words.' }], { structuredContent }),
  ])
  const tools = names.map((name) => tool(name, createPrintCommand(`${name}.json`)))
  const folder = makeFolder({
    ...Object.fromEntries(files),
    'toolblocks.toml': `${model.settings}${tools.join('')}`,
  })
  await toolblocks(folder, 'run', 'Show all.')
  const id = readRows(`${folder}/kept.db`)[0]?.conversation ?? ''
  const { address } = await startView(folder, id)
  const page = await readPage(address)
  expect(page).toMatch(/<details[^>]*><summary>Two lamps<\/summary>/)
  expect(page).toMatch(/<th[^>]*data-type="date">when<\/th>/)
  expect(page).toMatch(/<a href="https:\/\/example\.com\/lamp"[^>]*>/)
  expect(page).toContain('<td class="tb-to-left">javascript:alert(1)</td>')
  expect(page).not.toContain('href="javascript:')
  expect(page).toMatch(/<div class="tb-scroll tb-high-10"[^>]*>[^]*oil\noil\n/)
  expect(page).toContain('(own.inner: hidden, as the tool asks)')
  expect(page).not.toContain('wick')
})
