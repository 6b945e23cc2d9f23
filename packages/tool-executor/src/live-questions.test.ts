import type { AnswerQuestion, InputRequest, JsonValue, Tool } from '@toolblocks/protocol'
import { PORT_GRACE_MS } from '@toolblocks/protocol/internal'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Handle } from './handle.ts'
import {
  closeExecutors,
  context,
  makeExecutor,
  liveTool,
  question as openQuestion,
  says,
  spawn,
  text,
  withExecutor,
  getWords,
} from './live-tool.support.ts'
import {
  concludeForModel,
  isForModel,
  readModelAnswers,
  type ModelAnswers,
} from './live-questions.ts'

const question = (
  id: string,
  schema: InputRequest['schema'] = { type: 'string' },
): InputRequest => ({
  id,
  text: `${id}?`,
  schema,
})

const toModel = { target: 'assistant' } as const

async function read(
  requests: readonly InputRequest[],
  input: JsonValue,
  routes: NonNullable<Handle['entry']['routes']> = { a: toModel, b: toModel },
): Promise<ModelAnswers> {
  const tool = {
    name: 'shell',
    inputSchema: true,
    execute: () => Promise.reject(new Error('never run')),
  }
  const pending = requests.map((request) => ({ request, blocks: [], after: [] }))
  return await readModelAnswers({ pending, entry: { tool, routes } }, input)
}

test.for<[string, InputRequest, NonNullable<Handle['entry']['routes']>, boolean]>([
  ['goes to the model where its route says so', question('a'), { a: toModel }, true],
  ['with settings for a model is its', question('a'), { a: { target: { settings: 1 } } }, true],
  ['without a route is a person’s', question('a'), {}, false],
  ['for a person is a person’s', question('a'), { a: { target: 'user' } }, false],
  [
    'that is answered already waits for nobody',
    question('a'),
    { a: { ...toModel, answer: 1 } },
    false,
  ],
  ['for a secret is no model’s', question('a', { format: 'password' }), { a: toModel }, false],
  [
    'with a page to visit is no model’s',
    { ...question('a'), url: 'https://x' },
    { a: toModel },
    false,
  ],
])('a question %s', ([, request, routes, isIts]) => {
  expect(isForModel(request, { routes })).toBe(isIts)
})

test('the answer to the only question is the input itself', async () => {
  expect(await read([question('a')], 'yes')).toEqual({ kind: 'answers', answers: { a: 'yes' } })
  expect(await read([question('a', {})], null)).toEqual({ kind: 'answers', answers: { a: null } })
})

test('the answer to the only question may be under its id, unless the object itself is the answer', async () => {
  expect(await read([question('a')], { a: 'yes' })).toEqual({
    kind: 'answers',
    answers: { a: 'yes' },
  })
  const object = question('a', { type: 'object' })
  expect(await read([object], { a: { b: 1 } })).toEqual({
    kind: 'answers',
    answers: { a: { a: { b: 1 } } },
  })
  const closed = question('a', {
    type: 'object',
    properties: { b: {} },
    additionalProperties: false,
  })
  expect(await read([closed], { a: { b: 1 } })).toEqual({
    kind: 'answers',
    answers: { a: { b: 1 } },
  })
})

test('several answers are an object by question id', async () => {
  const both = [question('a'), question('b')]
  expect(await read(both, { a: 'x', b: 'y', c: 'z' })).toEqual({
    kind: 'answers',
    answers: { a: 'x', b: 'y' },
  })
  expect(await read(both, { a: 'x' }, { a: toModel })).toEqual({
    kind: 'answers',
    answers: { a: 'x' },
  })
})

test.for<[string, InputRequest[], JsonValue, string]>([
  [
    'text',
    [question('a'), question('b')],
    'x',
    'expected an object with an answer to each of "a", "b"',
  ],
  [
    'null',
    [question('a'), question('b')],
    null,
    'expected an object with an answer to each of "a", "b"',
  ],
  [
    'a list',
    [question('a'), question('b')],
    [],
    'expected an object with an answer to each of "a", "b"',
  ],
  ['one of two', [question('a'), question('b')], { a: 'x' }, 'the answer to "b" is missing'],
  [
    'an inherited name',
    [question('toString'), question('b')],
    { b: 'x' },
    'the answer to "toString" is missing',
  ],
  [
    'another type',
    [question('a'), question('b')],
    { a: 'x', b: 7 },
    'the answer to "b" is invalid: expected string, got number 7',
  ],
  [
    'several things wrong',
    [question('a', { items: { type: 'string' } })],
    [1, 2],
    'the answer to "a" is invalid: /0 expected string, got number 1; /1 expected string, got number 2',
  ],
  [
    'anything where the schema is none',
    [question('a', { type: 'odd' })],
    'x',
    'the answer to "a" is invalid: /type expected "array", "boolean", "integer", "null", "number", "object" or "string", got string "odd"',
  ],
])('%s is an invalid input, with a reason', async ([, requests, input, message]) => {
  const routes = { a: toModel, b: toModel, toString: toModel }
  expect(await read(requests, input, routes)).toEqual({
    kind: 'wrong',
    message: `input: ${message}`,
  })
})

test('if the model has no question, its input answers nothing', async () => {
  expect(await read([question('a')], 'x', {})).toEqual({
    kind: 'not-asked',
    message: 'it waits for a person; fetch it to ask the person',
  })
})

test.for([
  [
    'the model is kept for it, question and all',
    { routes: { q1: { target: 'assistant' } } },
    [
      'waiting',
      '[handle "a": waiting for an answer to "q1"; apply it] | hunk 1 | (question) | hunk 2',
    ],
  ],
  [
    'the model and one for a person is kept as well',
    { routes: { q2: { target: 'assistant' } } },
    [
      'waiting',
      '[handle "a": waiting for an answer to "q2"; apply it] | hunk 1 | (question) | (question) | hunk 2',
    ],
  ],
  [
    'a person is in the result of the answer',
    {},
    ['stopped', '[handle "a": stopped] | hunk 1 | (question) | over'],
  ],
] as const)('the output with a question for %s', async ([, settings, [status, message]]) => {
  const host = new AbortController()
  const also = 'routes' in settings && 'q2' in settings.routes ? [openQuestion('q2')] : []
  const rest = [
    says('waiting', text('hunk 1'), openQuestion('q1'), ...also),
    says('waiting', text('hunk 2')),
    says('stopped', text('over')),
  ].values()
  const tool = liveTool([])
  const watched: Tool = {
    ...tool,
    spawn: async () => ({
      started: says('running'),
      fetch: async () => {
        // The wait ends when there is output.
        host.abort()
        return rest.next().value ?? says('running')
      },
      apply: async () => says('stopped', text('over')),
      abort: async () => says('stopped'),
    }),
  }
  const { executor, act } = withExecutor(watched, settings)
  await act(spawn)
  await executor.execute(
    { id: 'w', name: 'await', arguments: { all: ['a'] } },
    { ...context, signal: host.signal },
  )
  const user: AnswerQuestion = async () => ({ action: 'accept', value: true })
  const result = await act({ action: 'fetch', id: 'a' }, { ask: { user } })
  expect(result.metadata?.handle).toMatchObject({ id: 'a', status })
  expect(getWords(result)).toBe(message)
  await closeExecutors()
})

test.for([
  ['the model', { routes: { q1: { target: 'assistant' } } }],
  ['a person', {}],
] as const)('a question that %s has answered is not asked again', async ([who, settings]) => {
  const { act, answer } = withExecutor(
    liveTool([says('waiting', openQuestion('q1')), says('waiting'), says('running')]),
    settings,
  )
  const user: AnswerQuestion = async () => ({ action: 'accept', value: true })
  const spawned = await act(spawn)
  const answered =
    who === 'the model'
      ? await act({ action: 'apply', id: 'a', input: true })
      : (await answer(spawned, { ask: { user } }))?.result
  // It is still waiting, but for free input.
  expect(answered?.metadata?.handle).toEqual({ id: 'a', status: 'waiting', asks: 'assistant' })
  expect(answered && getWords(answered)).toBe('[handle "a": waiting for input; apply it]')
  await closeExecutors()
})

test('a question that the model receives again is recorded once', async () => {
  const events: string[] = []
  const tool = liveTool([
    says('waiting', openQuestion('q1')),
    says('waiting'),
    says('waiting', openQuestion('q1')),
    says('stopped'),
  ])
  const act = makeExecutor(tool, {
    routes: { q1: { target: 'assistant' } },
    recordInquiry: ({ type, id }) => void events.push(`${type} ${id}`),
  })
  await act(spawn)
  await act({ action: 'fetch', id: 'a' })
  await act({ action: 'fetch', id: 'a' })
  await act({ action: 'apply', id: 'a', input: true })
  expect(events).toEqual(['question call-1.q1.1', 'answer call-1.q1.1'])
  await closeExecutors()
})

test('an answer whose recorder does not settle in time after the abort ends the action with the reason', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const put: Handle['put'] = new Map([['q', async () => await new Promise<void>(() => undefined)]])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of the handle is read
  const handle = { put } as Handle
  const concluding = concludeForModel(handle, () => ({ action: 'decline' }), AbortSignal.abort())
  // Awaited below; until then it must not be an unhandled rejection.
  let isOver = false
  concluding.catch(() => (isOver = true))
  await vi.advanceTimersByTimeAsync(PORT_GRACE_MS - 1)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await expect(concluding).rejects.toThrow('the recorder of questions and answers')
})
