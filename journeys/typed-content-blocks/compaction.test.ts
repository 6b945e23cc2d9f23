import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder, createPrintCommand, toToolOutput, tool } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'
import { readRows } from '../stage/rows.ts'

test('000 conversation compaction: compacted content keeps the URIs and types of its resources', async () => {
  const resource = {
    uri: 'file:///project/src/main.rs',
    mimeType: 'text/rust',
    text: 'fn main() {}\n'.repeat(50),
  }
  const model = await startProvider([
    { calls: [['read', {}]] },
    { text: 'It is a main.' },
    { text: 'Nothing else.' },
    { text: 'As I said.' },
  ])
  const folder = makeFolder({
    'main.json': toToolOutput([{ type: 'resource', resource }]),
    'toolblocks.toml': model.settings + tool('read', createPrintCommand('main.json')),
  })
  await toolblocks(folder, 'run', 'What is in main.rs?')
  const id = readRows(`${folder}/kept.db`)[0]?.conversation ?? ''
  await toolblocks(folder, 'run', 'What else?', '--resume')
  const compact = ['conversations', 'compact', id, '--turns', '1', '--tool-calls', 'strip']
  expect((await toolblocks(folder, ...compact)).code).toBe(0)
  await toolblocks(folder, 'run', 'Again?', '--resume')
  const [result = ''] = model.results()
  expect(result).not.toContain('fn main')
  expect(result).toMatch(/file:\/\/\/project\/src\/main\.rs, text\/rust, 650 bytes/)

  const kept = readRows(`${folder}/kept.db`).find(({ type }) => type === 'tool_result')
  expect(kept).toMatchObject({ result: { content: [{ resource }] } })
})
