import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type InputRequest, booleanQuestion } from '@toolblocks/protocol'
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

const SIZE: InputRequest = {
  id: 'size',
  text: 'Which size?',
  schema: { type: 'string', enum: ['small', 'large'] },
  default: 'large',
}

/** Opens a question of an agent and a server, with everything that a question can have. */
async function ask(overrides: Partial<PendingQuestion> = {}): Promise<string> {
  return await workspace.use(async ({ append, documents: storage }) => {
    await append('c', 0, [
      { type: 'turn_start', turn: 1 },
      { type: 'user_message', content: [{ type: 'text', text: 'Tidy up.' }] },
    ])
    const { id } = await openPendingQuestion(
      {
        kind: 'question',
        call: { id: 'call-1', name: 'paint', arguments: { path: 'wall.txt' } },
        conversation: 'c',
        turn: 3,
        agents: ['decorator'],
        server: 'paints',
        request: SIZE,
        blocks: [{ type: 'text', text: 'The wall is white.' }],
        after: [{ type: 'text', text: 'It takes a day.' }],
        isLocal: false,
        isRepeatable: true,
        definition: '',
        host: 'other-machine:1',
        expireMs: 3_600_000,
        ...overrides,
      },
      { storage },
    )
    return id
  })
}

const read = async (id: string): Promise<PendingQuestion | undefined> =>
  await workspace.use(async ({ documents: storage }) => await readPendingQuestion(id, { storage }))

test('a person is shown everything that an answer depends on', async () => {
  const id = await ask()
  const { stdout } = await run('show', id)
  for (const expected of [
    id,
    'Tidy up.',
    'Which size?',
    'decorator',
    'paints',
    'paint',
    'wall.txt',
    'The wall is white.',
    'It takes a day.',
    'small',
    'default: "large"',
    'in turn 3',
    'other-machine',
  ])
    expect(stdout).toContain(expected)
  expect(stdout).toMatch(/expires \d{4}-/)
  const shownQuestion = JSON.parse((await run('show', id, '--output', 'json')).stdout) as unknown
  const listed = JSON.parse((await run('list', '--output', 'json')).stdout) as unknown
  const whole = { ...(await read(id)), resume: 'c', title: 'Tidy up.' }
  expect(shownQuestion).toEqual(whole)
  expect(listed).toEqual({ questions: [whole], unreadable: [] })
})

test.for([24, 40, 80])(
  'the list names each id and what is asked also at %d columns, and cuts only long texts',
  async (columns) => {
    const text = 'Really paint the wall of the harbor?'
    const id = await ask({ request: booleanQuestion({ id: 'sure', text }) })
    const long = booleanQuestion({ id: 'sure', text: `Paint it? ${'Think twice. '.repeat(40)}End` })
    const other = await workspace.use(async ({ documents: storage }) => {
      const question = (await readPendingQuestion(id, { storage }))!
      const another = { ...question, request: long, expireMs: 60_000 }
      return (await openPendingQuestion(another, { storage })).id
    })
    const environment = { NO_COLOR: '1' }
    const { written } = await visit(workspace.folder, ['questions'], [], { columns, environment })
    const listed = written.replaceAll(/\s+/g, ' ')
    expect(listed).toContain(`${id} agent decorator, paint (server paints) asks: ${text}`)
    expect(listed).toMatch(
      new RegExp(`${other} agent decorator.* asks: Paint it\\? Think.* … Tidy`),
    )
    expect(listed).not.toContain('End')
    for (const line of written.split('\r\n')) expect(line.length).toBeLessThanOrEqual(columns)
  },
)

test('a person is shown every line of what a tool has shown before its question', async () => {
  const text = Array.from({ length: 2000 }, (_, line) => `wall ${line}`).join('\n')
  const id = await ask({ blocks: [{ type: 'text', text }] })
  expect((await run('show', id)).stdout).toContain('wall 1000\n')
})

test.for([
  ['question', /Which size\?[^]*large/, '\r'],
  ['approval', /\?[^]*No/, 'n\r'],
] as const)(
  'of a %s, the files of the folder have the paths that the person knows',
  async ([kind, asked, keys]) => {
    const { href } = pathToFileURL(join(workspace.folder, 'walls', 'north.txt'))
    const resource = { uri: href, text: 'white' }
    const id = await ask({ kind, blocks: [{ type: 'resource', resource }] })
    const { stdout } = await run('show', id)
    expect(stdout).toContain(join('walls', 'north.txt'))
    expect(stdout).not.toContain(workspace.folder)
    const args = ['questions', 'answer', id]
    const { written } = await visit(workspace.folder, args, [[asked, keys]])
    expect(written).toContain(join('walls', 'north.txt'))
    expect(written).not.toContain(workspace.folder)
  },
)

test('at a terminal, a person reads who asks, what the tool showed before and after, and answers', async () => {
  const id = await ask()
  const { code, written } = await visit(
    workspace.folder,
    ['questions', 'answer', id],
    [[/Which size\?[^]*large/, '\r']],
  )
  expect(code).toBe(0)
  for (const expected of ['Agent decorator: ', 'paints', 'The wall is white.', 'It takes a day.'])
    expect(written).toContain(expected)
  expect(await read(id)).toMatchObject({ settled: { by: 'terminal', value: 'large' } })
})

test.for([
  ['y\r', 'answered', { value: true }],
  ['n\r', 'declined', {}],
] as const)(
  'at a terminal, a call is shown as its tool formats it; %j decides',
  async ([keys, state, settled]) => {
    const request = booleanQuestion({ id: 'approval', text: 'Run paint?' })
    const blocks = [{ type: 'text' as const, text: 'Paints the wall red.' }]
    const id = await ask({ kind: 'approval', request, blocks })
    const { code, written } = await visit(
      workspace.folder,
      ['questions', 'answer', id],
      [[/Paints the wall red\.[^]*\?[^]*No/, keys]],
    )
    expect(code).toBe(0)
    expect(written).toContain('paint')
    expect(await read(id)).toMatchObject({ state, settled: { by: 'terminal', ...settled } })
  },
)

test('a script answers with an option, and reads the question as JSON', async () => {
  const id = await ask()
  const { code, stdout } = await run('answer', id, '--answer', 'small', '--output', 'json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual(await read(id))
  expect(await read(id)).toMatchObject({ settled: { by: 'command', value: 'small' } })
})

test('a person who denies a call with an option can say why', async () => {
  const request = booleanQuestion({ id: 'approval', text: 'Run paint?' })
  const id = await ask({ kind: 'approval', request })
  expect((await run('answer', id, '--no', '--reason', 'wrong wall')).code).toBe(0)
  expect(await read(id)).toMatchObject({ state: 'declined', settled: { reason: 'wrong wall' } })
})

test.for([
  [['--answer', 'huge'], 2, '--answer: '],
  [['--yes'], 2, '--yes: '],
  [['--no'], 2, '--no: '],
  [['--answer', 'small', '--reason', 'no'], 2, '--reason needs --no'],
  [[], 5, 'no person can be asked'],
  [['--output', 'json'], 5, 'no person can be asked'],
] as const)('%j is refused, and the question waits on', async ([args, code, why]) => {
  const id = await ask()
  const ran = await run('answer', id, ...args)
  expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(why)])
  expect(await read(id)).toMatchObject({ state: 'open' })
})

test('an answer that only a person at the asking host can give is refused, with the reason', async () => {
  const id = await ask({ isLocal: true })
  const { code, stderr } = await run('answer', id, '--answer', 'small')
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${id} is `)])
  const shownQuestion = JSON.parse((await run('show', id, '--output', 'json')).stdout) as unknown
  expect(shownQuestion).toMatchObject({ isLocal: true, isAsked: false })
  expect((await run('decline', id)).code).toBeGreaterThan(0)
})

test('a second answer does not count, and says what the first one was', async () => {
  const id = await ask()
  await workspace.use(async ({ documents: storage }) => {
    const answer = { answer: { action: 'accept', value: 'small' }, by: 'page' } as const
    await answerPendingQuestion({ conversation: 'c', id }, answer, { storage })
  })
  for (const args of [
    ['decline', id],
    ['answer', id, '--answer', 'large'],
  ]) {
    const { code, stderr } = await run(...args)
    expect([code, stderr]).toEqual([1, expect.stringContaining('on a page')])
    expect(stderr).toContain('This answer does not count.')
  }
  expect((await run('answer', id)).stderr).not.toContain('does not count')
})

test.for<['question' | 'approval', RegExp]>([
  ['question', /How many\?[^]*boats/],
  ['approval', /Run paint\?/],
])(
  'Ctrl-C at a %s says that it still waits, and how it is answered later',
  async ([kind, asked]) => {
    const schema = {
      type: 'object',
      properties: { boats: { type: 'integer' } },
      required: ['boats'],
    }
    const request = { id: 'form', text: 'How many?', schema }
    const id = await ask({ kind, request })
    const { written } = await visit(
      workspace.folder,
      ['questions', 'answer', id],
      [[asked, '\u0003']],
    )
    expect(written).not.toContain('the call was stopped')
    expect(written.replaceAll(/\s+/g, ' ')).toContain(
      `${id} still waits. Answer it later with: toolblocks questions answer ${id}`,
    )
    expect(await read(id)).toMatchObject({ state: 'open' })
  },
)

test('--yes does not answer a question that asks for a form, and the error says what does', async () => {
  const schema = { type: 'object', properties: { boats: { type: 'integer' } }, required: ['boats'] }
  const id = await ask({ request: { id: 'form', text: 'How many?', schema } })
  const { code, stderr } = await run('answer', id, '--yes')
  expect(code).toBe(2)
  expect(stderr).toContain('The question asks for more than yes or no')
  expect(stderr).toContain('--answer')
})
