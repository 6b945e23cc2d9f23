import { booleanQuestion, type InputRequest } from '@toolblocks/protocol'
import {
  answerPendingQuestion,
  openPendingQuestion,
  type PendingQuestion,
  readPendingQuestion,
} from '@toolblocks/inquiry/pending'
import { expect, test } from 'vitest'
import { useConversations } from '../conversations/conversations.support.ts'
import { type Ran, toolblocks, visit } from '../toolblocks.support.ts'

const workspace = useConversations()
const run = async (...args: readonly string[]): Promise<Ran> =>
  await toolblocks(workspace.folder, 'questions', ...args)

/** Opens a question whose call waits. */
async function ask(overrides: Partial<PendingQuestion> = {}): Promise<string> {
  return await workspace.use(async ({ append, documents: storage }) => {
    await append('c', 0, [
      { type: 'turn_start', turn: 1 },
      { type: 'user_message', content: [{ type: 'text', text: 'Tidy up.' }] },
    ])
    const { id } = await openPendingQuestion(
      {
        kind: 'question',
        call: { id: 'call-1', name: 'delete', arguments: { path: 'a.txt' } },
        conversation: 'c',
        turn: 1,
        request: booleanQuestion({ id: 'sure', text: 'Really delete it?' }),
        blocks: [{ type: 'text', text: 'a.txt has 3 lines.' }],
        isLocal: false,
        isRepeatable: true,
        definition: '',
        host: 'other-machine:1',
        ...overrides,
      },
      { storage },
    )
    return id
  })
}

const read = async (id: string): Promise<PendingQuestion | undefined> =>
  await workspace.use(async ({ documents: storage }) => await readPendingQuestion(id, { storage }))

const APPROVAL: { kind: 'approval'; request: InputRequest } = {
  kind: 'approval',
  request: booleanQuestion({ id: 'approval', text: 'Run delete?' }),
}

test('a question is listed, shown and answered, and afterwards it takes no answer', async () => {
  const id = await ask()
  const list = await run()
  expect(list).toMatchObject({ code: 0, stderr: '' })
  expect(list.stdout).toContain(id)
  expect(list.stdout).toContain('Tidy up.')
  const shownQuestion = await run('show', id.slice(0, 4))
  expect(shownQuestion.code).toBe(0)
  expect(shownQuestion.stdout).toContain('a.txt has 3 lines.')
  expect(await run('answer', id, '--yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(id),
  })
  expect(await read(id)).toMatchObject({
    state: 'answered',
    settled: { by: 'command', value: true },
  })
  expect(await run('answer', id, '--no')).toMatchObject({ code: 1 })
  expect((await run('list')).stdout).toContain('No questions wait')
  expect((await run('list', '--all')).stdout).toContain(id)
})

test('the line and the page of an answered question say whether its call has continued, and how to answer is named only while one is open', async () => {
  const id = await ask(APPROVAL)
  const call = { id: 'call-1', name: 'delete', arguments: {} }
  await workspace.use(async ({ append }) => await append('c', 2, [{ type: 'tool_call', call }]))
  const list = async (): Promise<string> =>
    (await visit(workspace.folder, ['questions', '--all'], [])).written
  expect(await list()).toContain('Answer with: toolblocks questions answer ID')
  await run('answer', id, '--yes')
  expect(await list()).toMatch(/answered just now · its call has not\s+continued/)
  expect(await list()).not.toContain('Answer with')
  expect((await run('show', id)).stdout).toContain('  Continue with: toolblocks run --resume c\n')
  await workspace.use(
    async ({ append }) =>
      await append('c', 3, [
        { type: 'tool_result', result: { id: 'call-1', content: [], isError: false } },
      ]),
  )
  expect(await list()).not.toContain('its call')
  expect((await run('show', id)).stdout).toContain('  The call has continued.\n')
})

test('a call is denied with a reason, and afterwards its question is not withdrawn any more', async () => {
  const id = await ask(APPROVAL)
  expect((await run('decline', id, '--reason', 'not mine')).code).toBe(0)
  expect(await read(id)).toMatchObject({
    state: 'declined',
    settled: { by: 'command', reason: 'not mine' },
  })
  expect((await run('withdraw', id)).code).toBe(1)
})

test('a question is withdrawn', async () => {
  const id = await ask()
  expect((await run('withdraw', id)).code).toBe(0)
  expect(await read(id)).toMatchObject({ state: 'withdrawn', settled: { by: 'command' } })
})

test.for(['show', 'answer', 'decline', 'withdraw'])(
  'an unknown question is wrong usage of %s',
  async (word) => {
    const { code, stderr } = await run(word, 'none')
    expect([code, stderr]).toEqual([2, expect.stringContaining('no question "none"')])
  },
)

test('a configuration that does not exist is wrong usage of list', async () => {
  expect(await run('list', '--config', 'none.toml')).toMatchObject({ code: 2 })
})

test('a person at a terminal answers, and the command ends', async () => {
  const id = await ask()
  const { code } = await visit(
    workspace.folder,
    ['questions', 'answer', id],
    [[/Really delete it\?[^]*No/, 'y\r']],
  )
  expect(code).toBe(0)
  expect(await read(id)).toMatchObject({
    state: 'answered',
    settled: { by: 'terminal', value: true },
  })
})

test.for([{}, APPROVAL])(
  'a prompt closes when its question is answered elsewhere: %o',
  async (overrides) => {
    const id = await ask(overrides)
    const { code, written } = await visit(
      workspace.folder,
      ['questions', 'answer', id],
      [
        [
          /\?[^]*No/,
          async () => {
            await workspace.use(async ({ documents: storage }) => {
              const key = { conversation: 'c', id }
              const answer = { answer: { action: 'accept', value: true }, by: 'page' } as const
              await answerPendingQuestion(key, answer, { storage })
            })
            return ''
          },
        ],
      ],
    )
    expect(code).toBe(1)
    expect(written).toMatch(/on a page/)
    expect(written).toContain('An answer here does not count.')
    expect(await read(id)).toMatchObject({ settled: { by: 'page' } })
  },
)
