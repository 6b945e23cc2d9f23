import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { connectClient } from '../stage/mcp-client.ts'
import { hasResults, startProvider } from '../stage/provider.ts'
import { readStoredRows, type Row } from '../stage/rows.ts'

const ONE = tool('one', ['echo', 'first'])
/** The model names that the test providers return, if they return one. */
const NAMED = { anthropic: 'c', openai: 'gpt-5', google: 'm', 'openai-compatible': 'm' } as const

const ofType = (rows: readonly Row[], type: string): readonly Row[] =>
  rows.filter((row) => row.type === type)

test.for(['anthropic', 'openai', 'google', 'openai-compatible'] as const)(
  'promise usage: each message of %s is stored with its model and tokens, including messages that only call tools',
  async (name) => {
    const { settings, requests } = await startProvider(
      (messages) =>
        hasResults(messages)
          ? { text: 'Done.', usage: { input: 1200, cached: 1000, output: 7 } }
          : { calls: [['one', {}]], usage: { input: 1000, cached: 0, output: 20 } },
      name,
    )
    const folder = makeFolder({ 'toolblocks.toml': settings + ONE })
    const ran = await toolblocks(folder, 'run', 'Go.', '--no-input')
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('Done.') })
    const messages = ofType(readStoredRows(folder), 'assistant_message')
    expect(messages.map(({ model, usage }) => ({ model, usage }))).toEqual([
      { model: NAMED[name], usage: { inputTokens: 1000, outputTokens: 20 } },
      {
        model: NAMED[name],
        usage: { inputTokens: 1200, cachedInputTokens: 1000, outputTokens: 7 },
      },
    ])
    await toolblocks(folder, 'run', 'Again.', '--resume', '--no-input')
    expect(JSON.stringify(requests)).not.toContain('outputTokens')
  },
)

test('promise usage: invalid token counts of a provider are not stored, and do not end a turn', async () => {
  const { settings } = await startProvider([
    { text: 'Done.', usage: { input: -5, cached: 0.5, output: 1e300 } },
  ])
  const folder = makeFolder({ 'toolblocks.toml': settings })
  const ran = await toolblocks(folder, 'run', 'Go.', '--no-input')
  expect(ran).toMatchObject({ code: 0, stdout: 'Done.\n' })
  const [message] = ofType(readStoredRows(folder), 'assistant_message')
  expect(message).not.toHaveProperty('usage')
})

test('promise usage: conversations of run, call and serve start with the command, the folder and the model; no model receives them', async () => {
  const { settings, requests } = await startProvider(() => ({ text: 'Done.' }))
  const folder = makeFolder({
    'toolblocks.toml': settings + ONE,
  })
  await toolblocks(folder, 'run', 'Go.', '--no-input')
  await toolblocks(folder, 'run', 'Again.', '--resume', '--no-input')
  await toolblocks(folder, 'call', 'one')
  const client = await connectClient(folder)
  await client.callTool({ name: 'one', arguments: {} })
  await client.close()
  const rows = readStoredRows(folder)
  const first = rows.filter((row, index) => rows[index - 1]?.conversation !== row.conversation)
  expect(first.map(({ type, values }) => [type, values])).toEqual([
    ['configuration', { command: 'run', folder, model: 'm' }],
    ['configuration', { command: 'call', folder }],
    ['configuration', { command: 'serve', folder, client: { name: 'journey', version: '1.0.0' } }],
  ])
  expect(ofType(rows, 'configuration')).toHaveLength(3)
  expect(ofType(rows, 'turn_start').map(({ turn }) => turn)).toEqual([1, 2, 1, 1])
  expect(requests.map(({ messages }) => messages)).toEqual([
    [{ role: 'user', content: 'Go.' }],
    [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'Again.' },
    ],
  ])
})

test('promise usage: a message without text is stored with its usage, and no provider receives an empty message', async () => {
  const { settings, requestMessages: asked } = await startProvider([
    { text: '', usage: { input: 10, cached: 0, output: 0 } },
    { text: 'Now.' },
  ])
  const folder = makeFolder({ 'toolblocks.toml': settings })
  await toolblocks(folder, 'run', 'Go.', '--no-input')
  await toolblocks(folder, 'run', 'Again.', '--resume', '--no-input')
  const [silent] = ofType(readStoredRows(folder), 'assistant_message')
  expect(silent).toMatchObject({ content: [], usage: { inputTokens: 10, outputTokens: 0 } })
  expect(asked.at(-1)).toEqual([
    { role: 'user', content: 'Go.' },
    { role: 'user', content: 'Again.' },
  ])
})
