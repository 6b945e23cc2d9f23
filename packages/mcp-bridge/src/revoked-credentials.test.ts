import { afterEach, expect, test, vi } from 'vitest'
import { authenticateByTokens, hashToken } from './identity/client-tokens.ts'
import type { Authenticate } from './identity/client-identity.ts'
import type { HttpOptions } from './server/http-options.ts'
import {
  begin,
  callOf,
  INITIALIZE,
  key,
  readUntil,
  send as sendWithToken,
} from './testing/replicas.support.ts'
import { type Execute, serve, text } from './testing/served.support.ts'
import { createSharedDocuments } from './testing/shared-documents.support.ts'

/** The valid tokens, as `NAME.NUMBER`, and when they expire. */
let tokens = new Map<string, number>()
let fails = false
const failed = vi.fn<() => void>()

const authenticate: Authenticate = async (request) => {
  if (fails) {
    failed()
    throw new Error('the issuer is away')
  }
  return await authenticateByTokens(() =>
    [...tokens].map(([each, expires]) => ({
      name: each.split('.')[0] ?? '',
      tokens: [{ hash: hashToken(each), expires }],
    })),
  )(request)
}

afterEach(() => {
  fails = false
})

function accept(...valid: readonly string[]): void {
  tokens = new Map(valid.map((each) => [each, Infinity]))
}

const send = async (
  served: { url: string },
  token: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> => await sendWithToken({ url: served.url, token }, body, headers)

const serveTokens = async (execute: Execute, options: Partial<HttpOptions> = {}) =>
  await serve(execute, {}, { authenticate, ...options })

/** Settles when the stream ends, in any way. */
async function ended(stream: Response): Promise<'ended'> {
  await readUntil(stream, 'never').catch(() => undefined)
  return 'ended'
}

const listen = async (served: { url: string }, token: string): Promise<Response> => {
  const stream = await send(
    served,
    token,
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: {
        notifications: { toolsListChanged: true },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
  )
  expect(stream.status).toBe(200)
  return stream
}

/** Returns a tool that answers when `release` is called. */
function createSlow() {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const signals: AbortSignal[] = []
  const execute: Execute = async (_call, { signal }) => {
    if (signal) signals.push(signal)
    await promise
    return text('done')
  }
  return { execute, release, signals }
}

test('a token that is revoked ends its streams and calls, and those of no other token', async () => {
  accept('ann.1', 'ann.2', 'ben.1')
  const slow = createSlow()
  const served = await serveTokens(slow.execute)
  const open = async (token: string) => {
    const session = await begin({ ...served, token })
    const stream = await send(served, token, undefined, session)
    const call = send(served, token, callOf(1), session)
    return { session, stream: ended(stream), listening: ended(await listen(served, token)), call }
  }
  const [revoked, later, other] = [await open('ann.1'), await open('ann.2'), await open('ben.1')]
  await vi.waitFor(() => expect(slow.signals).toHaveLength(3))
  accept('ann.2', 'ben.1')
  expect(await Promise.all([revoked.stream, revoked.listening])).toEqual(['ended', 'ended'])
  const cut = await revoked.call
  await expect(cut.text()).rejects.toThrow(/terminated/)
  expect((await send(served, 'ann.1', callOf(2), revoked.session)).status).toBe(401)
  for (const { stream, listening } of [later, other])
    expect(await Promise.race([stream, listening, Promise.resolve('open')])).toBe('open')
  slow.release()
  for (const { call } of [later, other]) expect(await (await call).text()).toContain('done')
  expect(slow.signals.filter(({ aborted }) => aborted)).toHaveLength(1)
})

test('a token that expires ends its streams; a call that runs still gets its answer', async () => {
  tokens = new Map([['ann.1', Date.now() + 1500]])
  const slow = createSlow()
  const served = await serveTokens(slow.execute)
  const session = await begin({ ...served, token: 'ann.1' })
  const stream = await send(served, 'ann.1', undefined, session)
  const listening = await listen(served, 'ann.1')
  const call = send(served, 'ann.1', callOf(1), session)
  await Promise.all([ended(stream), ended(listening)])
  expect((await send(served, 'ann.1', callOf(2), session)).status).toBe(401)
  slow.release()
  expect(await (await call).text()).toContain('done')
})

test('a stream at another replica than that of its session ends too', async () => {
  accept('ann.1')
  const documents = createSharedDocuments()
  const startReplica = async () =>
    await serveTokens(async () => text('done'), {
      stateKey: key,
      replicas: { documents: documents.open(), key },
    })
  const [first, second] = [await startReplica(), await startReplica()]
  const session = await begin({ ...first, token: 'ann.1' })
  const stream = await send(second, 'ann.1', undefined, session)
  expect(stream.status).toBe(200)
  accept('ann.2')
  await ended(stream)
  expect((await send(second, 'ann.1', callOf(1), session)).status).toBe(401)
  expect((await send(second, 'ann.2', callOf(1), session)).status).toBe(200)
})

test('streams stay open while credentials cannot be checked', async () => {
  accept('ann.1', 'ben.1')
  const served = await serveTokens(async () => text('done'))
  const session = await begin({ ...served, token: 'ann.1' })
  const stream = ended(await send(served, 'ann.1', undefined, session))
  fails = true
  failed.mockClear()
  expect((await send(served, 'ben.1', INITIALIZE)).status).toBe(503)
  await vi.waitFor(() => expect(failed).toHaveBeenCalledTimes(3), 10_000)
  const open = Promise.resolve('open')
  expect(await Promise.race([stream, open])).toBe('open')
  fails = false
  accept('ben.1')
  await stream
})
