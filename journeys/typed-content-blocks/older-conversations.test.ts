import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'
import { readRows } from '../stage/rows.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const timestamp = '2026-03-05 22:12:35.5'

/** A conversation of JP from before typed blocks: a result is one base64 text with an error flag. */
const FLAT = JSON.stringify([
  { timestamp, type: 'chat_request', content: 'How many lamps are there?' },
  { timestamp, type: 'tool_call_request', id: 'a', name: 'count', arguments: {} },
  {
    timestamp,
    type: 'tool_call_response',
    id: 'a',
    content: base64('4 lamps'),
    is_error: false,
  },
  { timestamp, type: 'tool_call_request', id: 'b', name: 'light', arguments: {} },
  {
    timestamp,
    type: 'tool_call_response',
    id: 'b',
    content: base64('No oil.'),
    is_error: true,
  },
  { timestamp, type: 'chat_response', message: 'There are 4, and no oil.' },
])

test('000 migration: conversations from before typed blocks are read, stored as blocks, and continued', async () => {
  const model = await startProvider([{ text: 'Buy oil.' }])
  const folder = makeFolder({
    'old/17700000001-lamps/events.json': FLAT,
    'toolblocks.toml': model.settings,
  })
  const imported = await toolblocks(folder, 'import', 'old')
  expect(imported).toMatchObject({ code: 0, stderr: expect.not.stringContaining('warning') })
  const results = readRows(`${folder}/kept.db`).filter(({ type }) => type === 'tool_result')
  expect(results).toMatchObject([
    { result: { id: 'a', content: [{ type: 'text', text: '4 lamps' }], isError: false } },
    { result: { id: 'b', content: [{ type: 'text', text: 'No oil.' }], isError: true } },
  ])
  expect(readFileSync(`${folder}/old/17700000001-lamps/events.json`, 'utf8')).toBe(FLAT)

  await toolblocks(folder, 'run', 'And now?', '--resume', 'jp-17700000001')
  expect(model.results()).toEqual(['4 lamps', '[The tool call failed.]\n\nNo oil.'])
  expect(
    model.requestMessages
      .at(-1)
      ?.map(({ role }) => role)
      .join(' '),
  ).toBe('user assistant tool assistant tool assistant user')
  const after = readRows(`${folder}/kept.db`)
  expect(after.at(-1)).toMatchObject({ type: 'assistant_message', conversation: 'jp-17700000001' })
})
