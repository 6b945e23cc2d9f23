import { beforeEach, describe, expect, test } from 'vitest'
import type { McpServer } from './client/mcp-server.ts'
import { McpServerError } from './client/failures.ts'
import { connectServer } from './connect-server.ts'
import { createOAuth } from './login/create-oauth.ts'
import type { Credential } from './login/credential.ts'
import { startEndpoint } from './testing/odd-endpoint.support.ts'
import {
  agreeAtOnce,
  LOGIN_REQUESTS,
  type LoginRequest,
  type RawLogin,
  startRawLogin,
} from './testing/raw-login.support.ts'
import { MCP_REQUESTS, type RawMcp, startRawMcp } from './testing/raw-mcp.support.ts'
import { type Answer, ANSWERS } from './testing/raw-server.support.ts'
import { call, connect, firstText } from './testing/servers.support.ts'
import { watchProcess } from './testing/watch-process.support.ts'
import { AuthorizationError } from './wire/http-fetch.ts'

let outside: () => readonly unknown[]
let healthy: McpServer

beforeEach(async () => {
  outside = watchProcess()
  const { url } = await startEndpoint({})
  healthy = await connect({ name: 'healthy', transport: { kind: 'http', url } })
})

/** Gives every answer, and calls the healthy server from time to time. Returns what came of the answers that was neither expected nor refused. */
async function tryAll(attempt: (answer: Answer) => Promise<unknown>): Promise<readonly unknown[]> {
  const odd: unknown[] = []
  for (const [index, [name, answer]] of ANSWERS.entries()) {
    const end = await attempt(answer)
    if (end !== 'ended' && end !== 'refused') odd.push([name, end])
    const isDue = index % 100 === 0 || index === ANSWERS.length - 1
    const beside = isDue ? firstText(await call(healthy, 'echo')) : '{}'
    if (beside !== '{}') odd.push([name, 'the healthy server', beside])
  }
  return odd
}

/** Sends the requests of a login up to the one that is answered otherwise. `made`: the login of requests that follow it. */
async function attemptLogin(
  login: RawLogin,
  { request, answer, made }: { request: LoginRequest; answer: Answer; made: Credential },
): Promise<unknown> {
  const { options } = login
  const oauth = createOAuth(options)
  login.replace = { request, answer }
  try {
    switch (request) {
      case 'refresh':
        await options.credentials.change(options.url, async () => ({ ...made, expiresAt: 0 }))
        await oauth.fetch(new URL(options.url), { method: 'POST' })
        break
      case 'revocation':
        await options.credentials.change(options.url, async () => made)
        await oauth.logOut()
        break
      case 'challenge':
      case 'code':
      case 'issuer metadata':
      case 'registration':
      case 'resource metadata':
        await oauth.logIn({ openPage: agreeAtOnce() })
    }
    return 'ended'
  } catch (error) {
    return error instanceof AuthorizationError ? 'refused' : error
  }
}

describe.for(LOGIN_REQUESTS)('a login', (request) => {
  test(`ends with every answer to the request for ${request}, and calls of other servers go on`, async () => {
    const login = await startRawLogin()
    await createOAuth(login.options).logIn({ openPage: agreeAtOnce() })
    const made = await login.options.credentials.read(login.options.url)
    expect.assert(made !== undefined)
    const odd = await tryAll(async (answer) => await attemptLogin(login, { request, answer, made }))
    expect(odd).toEqual([])
    expect(outside()).toEqual([])
    // On a busy machine, dozens of logins take long.
  }, 180_000)
})

/** Connects, calls and closes, with one request that is answered otherwise. */
async function attemptCall(
  raw: RawMcp,
  {
    request,
    answer,
    version,
  }: { request: string; answer: Answer; version: keyof typeof MCP_REQUESTS },
): Promise<unknown> {
  raw.replace = { request, answer }
  const transport = { kind: 'http', url: raw.url } as const
  try {
    const server = await connectServer({ name: 'raw', transport, protocolVersion: version })
    // A server whose list cannot be read has no tools.
    const isListed = server.tools().length > 0
    const result = isListed ? await call(server, 'echo') : undefined
    await server.close()
    return !result || result.isError || firstText(result) === 'well' ? 'ended' : result
  } catch (error) {
    return error instanceof McpServerError ? 'refused' : error
  }
}

const requests = Object.entries(MCP_REQUESTS).flatMap(([version, each]) =>
  each.map((request) => [request, version as keyof typeof MCP_REQUESTS] as const),
)

test.for(requests)(
  'a call ends with every answer to %s of MCP %s, and calls of other servers go on',
  async ([request, version]) => {
    const raw = await startRawMcp()
    const odd = await tryAll(async (answer) => await attemptCall(raw, { request, answer, version }))
    expect(odd).toEqual([])
    expect(outside()).toEqual([])
  },
)
