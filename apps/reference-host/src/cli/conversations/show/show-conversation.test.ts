import type { ConversationEvent } from '@toolblocks/conversation-store'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Ran, toolblocks, visit } from '../../toolblocks.support.ts'
import { TWO_TURNS, damage, useConversations } from '../conversations.support.ts'
import { countTokens, describeTokens } from './show-conversation.ts'

const workspace = useConversations()

const show = async (...args: string[]): Promise<Ran> =>
  await toolblocks(workspace.folder, 'conversations', 'show', ...args)

describe('toolblocks conversations show', () => {
  test('a short command is shown once, and a long one in full below its line', async () => {
    const call = (id: string, command: string) =>
      ({ type: 'tool_call', call: { id, name: 'sh', arguments: { command } } }) as const
    await workspace.keep('two', call('a', 'git log'), call('b', 'git log\ngit push'))
    const { stdout } = await show('two')
    expect(stdout.match(/git log/g)).toHaveLength(3)
    expect(stdout).toContain('git push')
  })

  test('shows turn by turn the messages, calls, questions, answers and interruptions', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    const { code, stdout, stderr } = await show('lamps')
    expect(stderr).toBe('')
    expect(stdout).toMatchInlineSnapshot(`
      "Count the lamps, please.

      Turn 1  2026-05-06 07:00 UTC
      #2   Person
           Count the lamps, please.
      #3   ✓ count_lamps hall 2 min
           room: hall
           list:
           │ [
           │   1,
           │   2
           │ ]
           question to user
             Also the broken ones?
           answer
             value: true
           Seven lamps.
      #7   Model
           There are **seven**.

      Turn 2  2026-05-06 07:07 UTC
      #9   Person
           And now mend them.
      #10  ⊘ mend_lamps
           ✗ cancelled
           The call was interrupted: the program that ran it ended before it had a result. A part of the work may be done.
      "
    `)
    expect(code).toBe(0)
  })

  test('models are named when they change, and the last line sums the tokens that their providers counted', async () => {
    const answer = (text: string, model: string): ConversationEvent => ({
      type: 'assistant_message',
      content: [{ type: 'text', text }],
      model,
      usage: { inputTokens: 1200, cachedInputTokens: 1000, outputTokens: 30 },
    })
    const values = { command: 'chat', model: 'm-1', folder: '/srv/lamps' }
    await workspace.keep(
      '5e551011-0000-4000-8000-000000000000',
      { type: 'configuration', values },
      { type: 'user_message', content: [{ type: 'text', text: 'Light it.' }] },
      answer('Lit.', 'm-1'),
      answer('Yes.', 'm-1'),
      answer('No.', 'm-2'),
    )
    const { stdout } = await show('5e55')
    expect(stdout).toMatch(/^Light it\.\nm-1 · \/srv\/lamps\n\n/)
    expect(stdout.match(/ {3}Model m-[12]\n/g)).toEqual(['   Model m-1\n', '   Model m-2\n'])
    expect(stdout).toMatch(
      /\n\nm-1: 2,400 tokens in \(2,000 cached\), 60 out · m-2: 1,200 tokens in \(1,000 cached\), 30 out\n$/,
    )
    const json: unknown = JSON.parse((await show('latest', '--output', 'json')).stdout)
    expect(json).toMatchObject({
      title: 'Light it.',
      model: 'm-1',
      usage: { 'm-2': { outputTokens: 30 } },
    })
  })

  test('an edit is a diff and a to-do list is a list; --model-view shows the original arguments', async () => {
    const calls: readonly ConversationEvent[] = [
      {
        type: 'tool_call',
        call: {
          id: 'a',
          name: 'edit',
          arguments: { path: 'a.ts', old_string: 'let a', new_string: 'let b' },
        },
      },
      { type: 'tool_result', result: { id: 'a', content: [], isError: false } },
      {
        type: 'tool_call',
        call: {
          id: 'b',
          name: 'plan',
          arguments: { plan: [{ step: 'Look', status: 'completed' }] },
        },
      },
      { type: 'tool_result', result: { id: 'b', content: [], isError: false } },
    ]
    await workspace.keep('lamps', ...calls)
    const { stdout } = await show('lamps')
    expect(stdout).toMatch(/✓ edit a\.ts \+1 −1 lines · 1 min\n[^]*- *let a\n[^]*\+ *let b\n/)
    expect(stdout).toMatch(/✓ plan 1 of 1 done · 1 min\n {5}☑ Look\n/)
    const { stdout: modelView } = await show('lamps', '--model-view')
    expect(modelView).toContain('old_string: let a')
    expect(modelView).not.toContain('☑')
  })

  test('--turns shows some of them', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    const { stdout } = await show('lamps', '--turns', '2')
    expect(stdout).toMatch(/^Count the lamps, please\.\n\nTurn 2 /)
    expect(stdout).toContain('mend them')
    expect((await show('lamps', '--turns', '3-')).stderr).toBe('There is nothing to show.\n')
    expect((await show('lamps', '--turns', '2-1')).code).toBe(2)
  })

  test('reports undone events and events without a turn', async () => {
    const result = { id: 'nobody', content: [], isError: false }
    await workspace.keep(
      'lamps',
      { type: 'tool_result', result },
      { type: 'user_message', content: [{ type: 'text', text: 'no' }] },
      { type: 'rewind', to: 1 },
    )
    const { stderr, stdout } = await show('lamps')
    expect(stdout).toBe('no\n\n#2   1 message that was taken back\n')
    expect(stderr).toBe(
      '#1: this tool_result matches no earlier event of its turn, and is omitted\n',
    )
  })

  test('--output json prints the history', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    const history: unknown = JSON.parse((await show('lamps', '--output', 'json')).stdout)
    expect(history).toMatchObject({ id: 'lamps', aside: [], undone: [], damaged: [] })
    expect(history).toHaveProperty('entries.10.synthetic', true)
    expect(history).toHaveProperty('entries.2.event.call.name', 'count_lamps')
  })

  test('outside text cannot control a terminal', async () => {
    const hostile = '\u001B]0;owned\u0007\u001B[2J\u202E'
    await workspace.keep(`id-${hostile}`, {
      type: 'tool_call',
      call: { id: hostile, name: hostile, arguments: { [hostile]: hostile } },
    })
    const { stdout } = await show(`id-${hostile}`)
    // oxlint-disable-next-line no-control-regex -- what must not be there
    expect(stdout).not.toMatch(/[\u001B\u0007\u202E]/)
  })

  test('suggests the id that was probably meant', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    expect(await show('lampz')).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: no conversation "lampz" in ${workspace.file}; did you mean "lamps"?\n`,
    })
    expect((await show('else')).stderr).toContain('"toolblocks conversations list" shows')
  })

  test('shows everything except damaged events, and reports what is missing', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    damage(workspace.file, 'lamps')
    const { code, stdout, stderr } = await show('lamps')
    expect(code).toBe(1)
    expect(stdout).not.toContain('Count the lamps')
    expect(stdout).toContain('#3   ✓ count_lamps hall')
    expect(stderr).toContain('#2 cannot be read: Event 2 of conversation "lamps" is damaged')
  })

  test.for([40, 80])('no line is wider than a terminal of %d columns', async (columns) => {
    await workspace.keep('lamps', ...TWO_TURNS)
    const args = ['conversations', 'show', 'lamps']
    const environment = { NO_COLOR: '1' }
    const { written } = await visit(workspace.folder, args, [], { columns, environment })
    expect(written).toContain('Seven lamps.')
    for (const line of written.split('\r\n')) expect(line.length).toBeLessThanOrEqual(columns)
  })
})

test('a recorded call is shown, and the bytes that its tool printed are kept', async () => {
  const tool = '[tools.greet]\nsource = "local"\ncommand = ["printf", "hello"]\nparameters = {}\n'
  await appendFile(join(workspace.folder, 'toolblocks.toml'), tool)
  const { stdout } = await toolblocks(workspace.folder, 'call', 'greet', '--output', 'json')
  expect(JSON.parse(stdout)).toHaveProperty('metadata.raw.bytes', 5)
  const [summary] = await workspace.use(async (store) => (await store.list()).conversations)
  expect((await show(summary?.id ?? '')).stdout).toMatch(
    /^call greet\n\nTurn 1 .*\n#3 {3}✓ greet[^\n]*\n {5}hello\n$/s,
  )
  const sha256: unknown = JSON.parse(stdout).metadata.raw.sha256
  const bytes = await workspace.use(async (store) => store.readBytes(String(sha256)))
  expect(new TextDecoder().decode(bytes)).toBe('hello')
})

const time = '2026-05-06T07:00:00.000Z'

const count = (...events: readonly ConversationEvent[]): ReturnType<typeof countTokens> =>
  countTokens(events.map((event, index) => ({ seq: index + 1, at: time, turn: 1, event })))

test('the delivered tokens are compared with those of the complete results', () => {
  const delivery = { type: 'delivery', deliveries: [], text: 'x'.repeat(400) } as const
  const counted = count({ ...delivery, wholeLength: 4400 }, delivery, { type: 'rewind', to: 0 })
  expect(counted).toEqual({ results: 2, tokens: 200, wholeTokens: 1200, saved: 1000 })
  expect(describeTokens(counted)).toBe(
    'The model received 2 results in about 200 tokens instead of 1,200: 1,000 saved, at 4 characters a token.',
  )
})

test('without recorded text nothing is counted', () => {
  expect(describeTokens(count({ type: 'delivery', deliveries: [] }))).toBe(
    'No result was sent to a model here.',
  )
})
