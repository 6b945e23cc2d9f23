import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder, toToolOutput, tool } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('002 graceful degradation: a value with unknown hints is shown by its data, at the terminal and on a page, and the model receives the text', async () => {
  const lamps = {
    kind: 'harbor.lamps',
    data: [
      { lamp: 'North', lit: true },
      { lamp: 'South', lit: false },
    ],
    summary: 'One of two is lit.',
    display: { preferredView: 'chart', fieldTypes: { lamp: 'color' }, sparkle: true },
  }
  const picture = { kind: 'harbor.picture', data: PIXEL, mimeType: 'image/png' }
  const model = await startProvider([
    {
      calls: [
        ['lamps', {}],
        ['picture', {}],
      ],
    },
    { text: 'Seen.' },
  ])
  const content = [{ type: 'text', text: 'The lamps are checked.' }]
  const folder = makeFolder({
    'lamps.json': toToolOutput(content, { structuredContent: lamps }),
    'picture.json': toToolOutput(content, { structuredContent: picture }),
    'toolblocks.toml': `${model.settings}${tool('lamps', ['cat', 'lamps.json'])}${tool('picture', ['cat', 'picture.json'])}`,
  })
  const { stdout } = await toolblocks(folder, 'call', 'lamps')
  expect(stdout).toContain('One of two is lit.')
  expect(stdout).toMatch(/lamp +lit/)
  expect(stdout).not.toContain('preferredView')
  await toolblocks(folder, 'run', 'Check the lamps.')
  expect(model.results().join()).toContain('The lamps are checked.')
  expect(model.results().join()).not.toContain('North')
  const listed = await toolblocks(folder, 'conversations', 'list', '--output', 'json')
  const ids = [...listed.stdout.matchAll(/"id": ?"([^"]+)"/g)].map(([, id = '']) => id)
  const pages: string[] = []
  for (const id of ids) {
    await toolblocks(
      folder,
      'conversations',
      'export',
      id,
      '--output',
      'html',
      '--to',
      `${id}.html`,
    )
    pages.push(readFileSync(join(folder, `${id}.html`), 'utf8'))
  }
  expect(pages.join()).toContain(`data:image/png;base64,${PIXEL}`)
  // A warning names its place; the value itself is not shown as JSON.
  expect(pages.join()).not.toMatch(/preferredView(?:&quot;|")/)
})
