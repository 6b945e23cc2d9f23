import { expect, test } from 'vitest'
import { explainBreak, explainFetch, explainStatus } from './explain-loss.ts'
import { AnswerError } from './fetch-answer.ts'
import { AuthorizationError } from './http-fetch.ts'
import { NOT_SENT } from './not-sent.ts'

const URL_OF_SERVER = new URL('https://mcp.example/mcp')
const what = 'sent no answer within 30 seconds'
const failed = (cause: object): Error => new TypeError('fetch failed', { cause })
const coded = (code: string, more: object = {}): Error =>
  failed(Object.assign(new Error('why'), { code, ...more }))

test('the page of a refusal is quoted up to 2000 characters', () => {
  const { serverText = '' } = explainStatus(500, ` ${'a page. '.repeat(1000)}`)
  expect(serverText).toHaveLength(2001)
  expect(serverText).toMatch(/^a page\. a page\. [^]*…$/)
  expect(explainStatus(500, ' short ').serverText).toBe('short')
})

test.for([
  ['late', { kind: 'timeout', transient: true, fix: 'Try again later, or check the address.' }],
  ['too-large', { kind: 'too-large', transient: false, fix: 'Ask the operator of the server.' }],
  [
    'broken',
    {
      kind: 'not-understood',
      transient: false,
      fix: 'Check the address, and tell the operator of the server.',
    },
  ],
] as const)(
  'an answer that is %s says what the server did and what to do, and that it may have run the call',
  ([kind, loss]) => {
    const error = new AnswerError(kind, URL_OF_SERVER, { what })
    expect(explainFetch(error)).toEqual({
      ...loss,
      reason: `the server ${what}`,
      maybeExecuted: true,
    })
    expect(explainBreak('the answer', error)).toEqual({
      kind: 'lost',
      reason: `the answer broke off: the server ${what}`,
      maybeExecuted: true,
      transient: true,
    })
  },
)

test('a login that failed says why, what to do, what the server said, and whether another attempt may help', () => {
  const options = { fix: 'Log in.', serverText: 'expired', transient: true }
  expect(explainFetch(new AuthorizationError('no login', options))).toEqual({
    kind: 'unauthorized',
    reason: 'no login',
    ...options,
    maybeExecuted: false,
  })
})

test.for([
  [coded('ECONNREFUSED'), { kind: 'unreachable', reason: 'ECONNREFUSED: why' }],
  [coded('ECONNRESET', { syscall: 'connect' }), { kind: 'unreachable', transient: true }],
  [coded('ECONNRESET', { syscall: 'read' }), { kind: 'lost', maybeExecuted: true }],
  [failed(Object.assign(new Error('EPIPE'), { code: 'EPIPE' })), { kind: 'lost', reason: 'EPIPE' }],
  [failed(new Error('other side closed')), { kind: 'lost', reason: 'other side closed' }],
  [
    coded(NOT_SENT),
    {
      kind: 'unreachable',
      reason: 'why',
      fix: 'Check "url" and "headers", and the variables in them.',
      transient: false,
    },
  ],
  [
    new DOMException('', 'TimeoutError'),
    { kind: 'timeout', reason: 'the server did not answer in time', maybeExecuted: true },
  ],
] as const)(
  'a request that ended with %s is explained, and repeated only if it may be',
  ([error, loss]) => {
    const explained = explainFetch(error)
    expect(explained).toMatchObject(loss)
    expect(explained.maybeExecuted).toBe(explained.kind !== 'unreachable')
  },
)

test.for([
  [401, { kind: 'unauthorized', maybeExecuted: false, transient: false }],
  [403, { kind: 'unauthorized', maybeExecuted: false, transient: false }],
  [429, { kind: 'lost', maybeExecuted: false, transient: true }],
  [503, { kind: 'lost', maybeExecuted: false, transient: true }],
  [502, { kind: 'lost', maybeExecuted: true, transient: true }],
  [504, { kind: 'lost', maybeExecuted: true, transient: true }],
  [404, { kind: 'not-understood', maybeExecuted: false, transient: false }],
  [500, { kind: 'not-understood', maybeExecuted: true, transient: false }],
] as const)(
  'the status %d says what may have happened, and what the server said',
  ([status, loss]) => {
    expect(explainStatus(status, 'busy')).toEqual({
      ...loss,
      reason: `the server answered with HTTP ${status}`,
      serverText: 'busy',
    })
  },
)
