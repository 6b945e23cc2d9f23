import type { JsonObject } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import type { ServedClient } from '../server/served-features.ts'
import type { Reply } from '../wire/peer.ts'
import { type FeatureSource, passRequest } from './pass-request.ts'

const { signal } = new AbortController()

const createSource = (request: FeatureSource['request']): FeatureSource => ({
  name: 's',
  capabilities: {},
  hasLinked: () => false,
  request,
})

const createClient = (
  protocolVersion: string,
  request: ServedClient['request'] = async () => ({ kind: 'aborted' }),
): ServedClient => ({
  id: 'c',
  protocolVersion,
  capabilities: {},
  identity: '',
  request,
  notify: () => undefined,
})

test('what a server of MCP 2026-07-28 asks is answered by the session of the client, and the server gets its state back', async () => {
  const received: JsonObject[] = []
  const asked: unknown[] = []
  const isCancelled = ({ signal: contextSignal }: { signal: AbortSignal }): boolean =>
    contextSignal === signal
  const server = createSource(async (_method, params, context) => {
    received.push({ ...params, isCancelled: isCancelled(context) })
    const inputRequests = { folders: { method: 'roots/list', params: { scope: 'all' } } }
    const result =
      received.length === 1
        ? { resultType: 'input_required', inputRequests, requestState: 'sealed' }
        : { resultType: 'complete', messages: [] }
    return { kind: 'result', result }
  })
  const client = createClient('2025-11-25', async (method, params, over) => {
    asked.push([method, params, isCancelled({ signal: over })])
    return { kind: 'result', result: { roots: [{ uri: 'file:///w' }] } }
  })
  const request = { method: 'prompts/get', params: { name: 'p' }, signal }
  expect(await passRequest(server, request, client)).toEqual({ messages: [] })
  expect(asked).toEqual([['roots/list', { scope: 'all' }, true]])
  expect(received).toEqual([
    { name: 'p', isCancelled: true },
    {
      name: 'p',
      isCancelled: true,
      inputResponses: { folders: { roots: [{ uri: 'file:///w' }] } },
      requestState: 'sealed',
    },
  ])
})

const MISSING: Reply = { kind: 'error', code: -32_002, message: 'not there', data: { uri: 'a' } }

test.for<[string, string, Reply, object]>([
  ['an error', '2025-11-25', MISSING, { code: -32_002, message: 'not there', data: { uri: 'a' } }],
  [
    'an error of a resource, for a client of this version',
    '2026-07-28',
    MISSING,
    { code: -32_602, message: 'not there', data: { uri: 'a' } },
  ],
  [
    'a lost connection',
    '2025-11-25',
    {
      kind: 'loss',
      loss: { kind: 'lost', reason: 'the program has ended', maybeExecuted: true, transient: true },
    },
    { message: 'The server has not answered: the program has ended.' },
  ],
  ['no object', '2025-11-25', { kind: 'result', result: 7 }, { code: -32_603 }],
])('%s of a server is an error with its reason: %s', async ([, version, reply, expected]) => {
  const server = createSource(async () => reply)
  const request = { method: 'resources/read', params: {}, signal }
  await expect(passRequest(server, request, createClient(version))).rejects.toMatchObject(expected)
})

const PAGE = { mode: 'url', url: 'https://a.example/' }
/** A session knows a page that it must open by an id. */
const AS_SESSION = { ...PAGE, elicitationId: expect.any(String) as string }

test.for<[string, JsonObject, JsonObject, JsonObject]>([
  ['elicitation/create', PAGE, AS_SESSION, { action: 'cancel' }],
  ['roots/list', {}, {}, { roots: [] }],
  ['sampling/createMessage', { maxTokens: 5 }, { maxTokens: 5 }, {}],
])(
  'a session that does not answer %s gives the server an answer all the same',
  async ([method, params, sent, expected]) => {
    const received: JsonObject[] = []
    const asked: JsonObject[] = []
    const server = createSource(async (_method, sentParams) => {
      received.push(sentParams)
      const inputRequests = { key: { method, params } }
      const isFirst = received.length === 1
      return {
        kind: 'result',
        result: isFirst ? { resultType: 'input_required', inputRequests } : {},
      }
    })
    const client = createClient('2025-11-25', async (_method, sentParams) => {
      asked.push(sentParams)
      return { kind: 'aborted' }
    })
    await passRequest(server, { method: 'prompts/get', params: {}, signal }, client)
    expect(received.at(-1)).toEqual({ inputResponses: { key: expected } })
    expect(asked).toEqual([sent])
  },
)
