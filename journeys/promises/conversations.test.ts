import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toolblocks, visit } from '../stage/command.ts'
import { makeFolder, createPrintCommand, toToolOutput, tool } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'
import { readRows, STORE } from '../stage/rows.ts'

test('promise conversations: messages are found by search, shown by turn, exported for people, and moved to another folder', async () => {
  const model = await startProvider([
    { calls: [['count', { room: 'hall' }]] },
    { text: 'There are **four**.' },
  ])
  const lamps = [{ type: 'text', text: 'Four lamps, one of them broken.' }]
  const counting = tool(
    'count',
    createPrintCommand('lamps.json'),
    'parameters = { room = { type = "string" } }',
  )
  const folder = makeFolder({
    'lamps.json': toToolOutput(lamps),
    'toolblocks.toml': model.settings + counting,
  })
  const run = async (...args: readonly string[]): Promise<string> =>
    (await toolblocks(folder, 'conversations', ...args)).stdout
  await toolblocks(folder, 'run', 'Count the lamps.')
  const [hit] = JSON.parse(await run('search', 'broken lamps', '--output', 'json'))
  expect(hit).toMatchObject({ type: 'tool_result', excerpt: 'Four lamps, one of them broken.' })
  const id = String(hit.conversation).slice(0, 8)
  expect(await run('list')).toMatch(`Count the lamps.  ${id}\n`)

  const rendered = await run('show', id)
  expect(rendered).toMatch(
    /Turn 1 [^]*Count the lamps\.[^]*✓ count hall[^]*room: hall[^]*Four lamps, one[^]*There are \*\*four\*\*\./,
  )
  expect(await run('show', 'latest', '--model-view')).toContain('Four lamps, one of them broken.')
  expect(await run('export', id, '--output', 'markdown')).toContain('> There are **four**.')
  expect(await run('export', id, '--output', 'html')).toContain('There are <strong>four</strong>.')

  await run('export', id, '--output', 'jsonl', '--to', 'lamps.jsonl')
  const lines = readFileSync(`${folder}/lamps.jsonl`, 'utf8')
  const other = makeFolder({ 'lamps.jsonl': lines, 'toolblocks.toml': STORE })
  expect((await toolblocks(other, 'import', 'lamps.jsonl')).code).toBe(0)
  const events = (where: string): unknown =>
    readRows(`${where}/kept.db`).map((event) => ({ ...event, conversation: '' }))
  expect(events(other)).toEqual(events(folder))
})

test('promise import: a chat continues an imported session of another program with all of its messages', async () => {
  const model = await startProvider([{ text: 'It burns since six.' }])
  const line = (uuid: string, parentUuid: string | null, type: string, content: unknown): string =>
    JSON.stringify({
      uuid,
      parentUuid,
      type,
      sessionId: '5e551011-0000-4000-8000-000000000000',
      timestamp: `2026-05-06T07:00:0${uuid}Z`,
      message: { role: type, content },
    })
  const call = { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: 'lamp.md' } }
  const answer = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'Lit at six.' }
  const session = [
    line('1', null, 'user', 'When was the lamp lit?'),
    line('2', '1', 'assistant', [{ type: 'text', text: 'I look it up.' }, call]),
    line('3', '2', 'user', [answer]),
    line('4', '3', 'assistant', [{ type: 'text', text: 'At six.' }]),
  ]
  const folder = makeFolder({
    'sessions/lamp.jsonl': `${session.join('\n')}\n`,
    'toolblocks.toml': model.settings,
  })
  const imported = await toolblocks(folder, 'import', 'sessions', '--output', 'json')
  const [{ format, conversation, before, after }] = JSON.parse(imported.stdout).conversations
  expect([format, after]).toEqual(['claude-code', before])
  expect(after).toMatchObject({ userMessages: 1, assistantMessages: 2, calls: 1, results: 1 })

  await visit(
    folder,
    ['chat', '--resume', conversation],
    [
      [/Resumed [^]*› /, 'Does it burn?\r'],
      [/It burns since six\.[^]*› /, '\u0004'],
    ],
  )
  expect(model.requestMessages.at(-1)).toMatchObject([
    { role: 'user', content: 'When was the lamp lit?' },
    { role: 'assistant', content: 'I look it up.', tool_calls: [{ id: 'toolu_1' }] },
    { role: 'tool', content: 'Lit at six.', tool_call_id: 'toolu_1' },
    { role: 'assistant', content: 'At six.' },
    { role: 'user', content: 'Does it burn?' },
  ])
})
