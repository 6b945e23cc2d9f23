import { readFileSync } from 'node:fs'
import { openStore } from '@toolblocks/conversation-store'
import { expect, test } from 'vitest'
import { type Ran, toolblocks, visit } from '../toolblocks.support.ts'
import { TWO_TURNS, useConversations } from './conversations.support.ts'

const workspace = useConversations()
const run = async (...args: string[]): Promise<Ran> =>
  await toolblocks(workspace.folder, 'conversations', 'scrub', ...args)

test('a value is removed, and the events record when', async () => {
  await workspace.keep('lamps', ...TWO_TURNS)
  await workspace.keep('other', ...TWO_TURNS)
  const { stdout } = await run('lamps', '--secret', 'Seven lamps')
  expect(stdout).toMatch(/^Scrubbed 1 event; each event records when\./)
  expect(readFileSync(workspace.file).includes('Seven lamps')).toBe(true)
  const all = await run('--all', '--secret', 'Seven lamps', '--output', 'json')
  expect(JSON.parse(all.stdout)).toMatchObject({
    events: 1,
    blobs: 0,
    shared: 0,
    forms: expect.arrayContaining([
      { form: 'as-is', removed: 1 },
      { form: 'base64', removed: 0 },
    ]),
  })
  expect(readFileSync(workspace.file).includes('Seven lamps')).toBe(false)
  const { stdout: history } = await toolblocks(workspace.folder, 'conversations', 'show', 'lamps')
  expect(history).toMatch(
    /#3 {3}✓ count_lamps hall 2 min scrubbed 2\d{3}-\d\d-\d\d \d\d:\d\d UTC\n[^]* {5}\[scrubbed\]\./,
  )
  expect((await run('--all', '--secret', 'Seven lamps')).stdout).toMatch(
    /^The value was not found\.\nSearched in these forms: as-is, json-escapes/,
  )
})

test('a value is removed from documents too', async () => {
  const lamps = { collection: 'note', id: 'lamps', version: 0, state: 'open', value: 'Seven lamps' }
  await workspace.keep('lamps', ...TWO_TURNS)
  await workspace.use(async ({ documents }) => void (await documents.write(lamps)))
  const { stdout } = await run('--all', '--secret', 'Seven lamps')
  expect(stdout).toMatch(
    /^Scrubbed 1 event and 1 document; each event records when\.\nRemoved: 2 as-is\./,
  )
  const again = { ...lamps, version: 2 }
  await workspace.use(async ({ documents }) => void (await documents.write(again)))
  expect((await run('--all', '--secret', 'Seven lamps')).stdout).toMatch(/^Scrubbed 1 document\.\n/)
})

test('bytes that no event refers to lose the value too', async () => {
  await workspace.keep('lamps', ...TWO_TURNS)
  await workspace.use(async (store) => void (await store.keepBytes(Buffer.from('Seven tables'))))
  const { stdout } = await run('lamps', '--secret', 'Seven tables')
  expect(stdout).toMatch(/^Scrubbed 1 file of bytes\.\nRemoved: 1 as-is\./)
  expect(readFileSync(workspace.file).includes('Seven tables')).toBe(false)
  expect((await run('lamps', '--secret', 'Seven tables')).stdout).toContain('was not found')
})

test('the reason why bytes stay is named: a call that has not ended, or other conversations', async () => {
  await workspace.keep('lamps', ...TWO_TURNS)
  const store = await openStore(`sqlite:${workspace.file}`)
  await store.keepBytes(Buffer.from('Seven tables'))
  const long = { type: 'text', text: 'Seven chairs. '.repeat(1000) } as const
  for (const id of ['a', 'b'])
    await store.append(id, 0, [{ type: 'user_message', content: [long] }])
  await store.close()
  const waiting = await run('lamps', '--secret', 'Seven tables')
  expect(waiting.stdout).toMatch(
    /^The value was found only in bytes that no event refers to\.\n1 file of bytes stays with the value in the store, because a tool call that has not ended may have kept it: repeat this with --all when no call runs\.\n/,
  )
  const shared = await run('a', '--secret', 'Seven chairs')
  expect(shared.stdout).toContain(
    '1 file of bytes stays with the value in the store, because other conversations, or events that were appended meanwhile, use it: repeat this with --all.',
  )
  for (const value of ['Seven tables', 'Seven chairs']) {
    const { stdout } = await run('--all', '--secret', value)
    expect(stdout).toContain('1 file of bytes')
    expect(stdout).not.toContain('stay')
  }
})

test('at a terminal the value is asked for, and not shown', async () => {
  await workspace.keep('lamps', ...TWO_TURNS)
  const args = ['conversations', 'scrub', 'lamps']
  const { code, written } = await visit(workspace.folder, args, [
    [/The value to remove/, 'Seven lamps\r'],
  ])
  expect(code).toBe(0)
  expect(written).toContain('Scrubbed 1 event')
  expect(written).not.toContain('Seven lamps')
})

test('--ignore-case removes it in upper and lower case', async () => {
  await workspace.keep('lamps', ...TWO_TURNS)
  expect((await run('lamps', '--secret', 'SEVEN lamps')).stdout).toContain('was not found')
  const { stdout } = await run('lamps', '--secret', 'SEVEN lamps', '--ignore-case')
  expect(stdout).toContain('Removed: 1 letter-case.')
})

test.for([
  [['lamps'], 5, 'no value was given'],
  [['lamps', '--secret', 'x'], 2, 'must have at least 6 characters'],
  [['lamps', '--yes', '--secret', 'Seven lamps'], 2, '--yes answers the questions of --detect'],
  [['lamps', '--detect', '--secret', 'Seven lamps'], 2, '--detect finds the values itself'],
  [['--secret', 'Seven lamps'], 2, 'expected the id of a conversation, or --all'],
] as const)('%j is refused', async ([args, code, message]) => {
  await workspace.keep('lamps', ...TWO_TURNS)
  const ran = await run(...args)
  expect(ran.code).toBe(code)
  expect(ran.stderr).toContain(message)
})
