import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder, createPrintCommand, toToolOutput, tool } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'
import { readRows } from '../stage/rows.ts'
import { readPage, startView } from '../stage/view.ts'

const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const createText = (text: string): object => ({ type: 'text', text })

test('002 migration: for a value in the older form the model receives the text, as for a new one', async () => {
  const flat = {
    kind: 'diff',
    path: 'main.rs',
    original: 'on();\n',
    modified: 'off();\n',
    isNew: false,
  }
  const model = await startProvider([{ calls: [['change', {}]] }, { text: 'Changed.' }])
  const folder = makeFolder({
    'change.json': toToolOutput([createText('Changed.')], { structuredContent: flat }),
    'toolblocks.toml': model.settings + tool('change', createPrintCommand('change.json')),
  })
  await toolblocks(folder, 'run', 'Change it.')
  expect(model.results()).toEqual(['Changed.\n\n[structured content, shown to the person: diff]'])
})

test('002 display hints: the text for the model does not say that the person was shown a hidden value', async () => {
  const inner = { kind: 'own.inner', data: { a: 1 }, display: { preferredView: 'hidden' } }
  const model = await startProvider([{ calls: [['inner', {}]] }, { text: 'Done.' }])
  const folder = makeFolder({
    'inner.json': toToolOutput([createText('Done.')], { structuredContent: inner }),
    'toolblocks.toml': model.settings + tool('inner', createPrintCommand('inner.json')),
  })
  await toolblocks(folder, 'run', 'Do it.')
  expect(model.results().join('')).not.toContain('shown to the person')
})

test('002 image: on a page an image has the alternative text of the tool', async () => {
  const value = {
    kind: 'image',
    data: { base64: PICTURE, alt: 'A lighthouse' },
    mimeType: 'image/png',
  }
  const folder = makeFolder({
    'draw.json': toToolOutput([createText('Drawn.')], { structuredContent: value }),
    'toolblocks.toml': `[store]\nurl = "sqlite:kept.db"\n${tool('draw', createPrintCommand('draw.json'))}`,
  })
  await toolblocks(folder, 'call', 'draw')
  const { address } = await startView(folder, readRows(`${folder}/kept.db`)[0]?.conversation ?? '')
  expect(await readPage(address)).toMatch(/<img [^>]*alt="A lighthouse"/)
})
