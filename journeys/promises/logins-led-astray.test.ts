import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { createOAuth, type CredentialStore, keepInMemory } from '@toolblocks/mcp-bridge/oauth'
import { expect, onTestFinished, test } from 'vitest'
import {
  type RawLogin,
  startRawLogin,
} from '../../packages/mcp-bridge/src/testing/raw-login.support.ts'
import { startAuthorizationServer } from '../../packages/mcp-bridge/src/testing/authorization-server.support.ts'
import { MCP_REQUESTS } from '../../packages/mcp-bridge/src/testing/raw-mcp.support.ts'
import { rawAnswer } from '../../packages/mcp-bridge/src/testing/raw-server.support.ts'
import { startToolblocks, toolblocks, visit } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { keepLogin, loginFile, logIn, makeLoginFolder } from '../stage/logins.ts'
import { connectClient, connectOverHttp, startOverHttp } from '../stage/mcp-client.ts'

// A scripted browser takes the place of the desktop's program, which other systems start by its path.
const isElsewhere = process.platform !== 'linux'

test.skipIf(isElsewhere)(
  'promise logins: another issuer than that of the first login is refused, with both names and the command that accepts it',
  async () => {
    const login = await makeLoginFolder()
    const { folder, server, authorization, file } = login
    await logIn(login)
    const before = readFileSync(file, 'utf8')
    const other = await startAuthorizationServer()
    onTestFinished(other.close)
    server.metadata['authorization_servers'] = [other.issuer]
    const refused = await toolblocks(folder, 'mcp', 'login', 'greeter', '--no-browser')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain(
      `the server names the authorization server "${other.issuer}", but the login is for "${authorization.issuer}"`,
    )
    expect(refused.stderr).toContain(`Run: toolblocks mcp login greeter --issuer ${other.issuer}`)
    expect(readFileSync(file, 'utf8')).toBe(before)
    const accepted = await logIn(login, '--issuer', other.issuer)
    expect([accepted.code, accepted.stdout]).toEqual([
      0,
      expect.stringContaining(`at ${other.issuer}`),
    ])
    expect(other.grants).toEqual(['authorization_code'])
  },
)

test('promise logins: a configured issuer is the only one that is used', async () => {
  const { folder, authorization } = await makeLoginFolder(
    'oauth = { issuer = "https://login.example" }\n',
  )
  const refused = await toolblocks(folder, 'mcp', 'login', 'greeter', '--no-browser')
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain(
    `the server names the authorization server "${authorization.issuer}", but the configuration names "https://login.example"`,
  )
  expect(refused.stderr).toContain(`oauth = { issuer = "${authorization.issuer}" }`)
})

test('promise logins: an issuer that was accepted for a login without an earlier one is named as such', async () => {
  const { folder, authorization } = await makeLoginFolder()
  const args = ['mcp', 'login', 'greeter', '--no-browser', '--issuer', 'https://login.example']
  const refused = await toolblocks(folder, ...args)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain(
    `the server names the authorization server "${authorization.issuer}", but you have accepted "https://login.example"`,
  )
})

test('promise logins: a redirect port that another program has is named, with what to do', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as AddressInfo
  const { folder } = await makeLoginFolder(`oauth = { redirect_port = ${port} }\n`)
  const refused = await toolblocks(folder, 'mcp', 'login', 'greeter', '--no-browser')
  expect(refused.code).toBe(1)
  expect(refused.stderr).toBe(
    `error: the port ${port} of "redirect_port" is taken, perhaps by another login that still waits for its answer. End that program, or change oauth = { redirect_port = … }\n`,
  )
})

test('promise logins: before the page is opened, the server, the issuer and the origin of the page are named', async () => {
  const { folder, server, authorization } = await makeLoginFolder()
  const { written } = await visit(
    folder,
    ['mcp', 'login', 'greeter', '--no-browser'],
    [[/Address or code: /, '\u0003']],
    { columns: 2000 },
  )
  const { issuer } = authorization
  const named = written.indexOf(`You log in to the server ${server.url}`)
  expect(named).toBeGreaterThanOrEqual(0)
  expect(written).toContain(`at the authorization server ${issuer}`)
  expect(written).toContain(`on a page of ${issuer}.`)
  expect(written.indexOf(`${issuer}/auth?`)).toBeGreaterThan(named)
})

test('promise logins: a page of another origin than the issuer is said to be one', async () => {
  const login = await startRawLogin()
  login.metadata = { authorization_endpoint: 'https://localhost:1/authorize' }
  const folder = makeFolder({
    'toolblocks.toml': `[mcp.servers.greeter]\nurl = "${login.options.url}"\n`,
  })
  const { written } = await visit(
    folder,
    ['mcp', 'login', 'greeter', '--no-browser'],
    [[/Address or code: /, '\u0003']],
    { columns: 2000 },
  )
  expect(written).toContain(
    'on a page of https://localhost:1, which is not the origin of that server.',
  )
})

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.Zm9v+~_0123456789.c2lnbmF0dXJl'

type Echo = (socket: Socket, body: string) => void

const answer = (status: number, make: (id: unknown) => unknown): Echo => {
  return (socket, body) => {
    const { id } = JSON.parse(body) as { id: unknown }
    const made = make(id)
    socket.end(rawAnswer(status, typeof made === 'string' ? made : JSON.stringify(made)))
  }
}

const ECHOES: Readonly<Record<string, Echo>> = {
  'a 403 as text': answer(403, () => `Authorization: Bearer ${TOKEN} may not do this`),
  'a 403 as JSON': answer(403, () => ({ detail: { [TOKEN]: TOKEN } })),
  'an error of JSON-RPC': answer(200, (id) => ({
    jsonrpc: '2.0',
    id,
    error: { code: -32_000, message: `bad ${TOKEN}`, data: { headers: [`Bearer ${TOKEN}`] } },
  })),
  'a result': answer(200, (id) => ({
    jsonrpc: '2.0',
    id,
    result: {
      content: [{ type: 'text', text: TOKEN }],
      structuredContent: { [TOKEN]: TOKEN },
      isError: true,
    },
  })),
}

/** Returns everything that is kept for this user, besides the logins. */
function readKept(): string {
  const kept = process.env['XDG_DATA_HOME'] ?? ''
  return readdirSync(kept, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => file !== loginFile())
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n')
}

/** A server whose kept login has a token that is still valid. */
async function startEcho(): Promise<RawLogin> {
  const login = await startRawLogin()
  const { url } = login.options
  keepLogin(url, login.server.origin, { accessToken: TOKEN, expiresAt: Date.now() + 3_600_000 })
  return login
}

/** Returns the text of a call that fails. */
async function call(client: Client, name: string): Promise<string> {
  const called = client.callTool({ name, arguments: {} })
  return JSON.stringify(await called.catch((error: unknown) => String(error)))
}

test('promise logins: a token that a server repeats is nowhere in the output of a call', async () => {
  const login = await startEcho()
  const { url } = login.options
  const folder = makeFolder({
    'toolblocks.toml': `[mcp.servers.greeter]\nurl = "${url}"\nrun = "unattended"\n`,
  })
  for (const [name, echo] of Object.entries(ECHOES)) {
    login.replace = { request: 'tools/call', answer: echo }
    const ran = await toolblocks(folder, 'call', 'greeter__echo')
    expect(login.requests.at(-1)?.head, name).toContain(TOKEN)
    expect([name, ran.code]).toEqual([name, 1])
    expect(ran.stdout + ran.stderr, name).toContain('***')
    expect(ran.stdout + ran.stderr, name).not.toContain(TOKEN)
  }
  expect(readKept()).not.toContain(TOKEN)
})

test.for([
  ['serve', 'greeter__echo'],
  ['serve --server', 'echo'],
] as const)(
  'promise logins: a token that a server repeats is nowhere in what a client of %s gets and what is recorded',
  async ([command, tool]) => {
    const login = await startEcho()
    const { url } = login.options
    const folder = makeFolder({
      'toolblocks.toml': `[mcp.servers.greeter]\nurl = "${url}"\nrun = "unattended"\n`,
    })
    const args = command === 'serve' ? ['serve'] : ['serve', '--server', url]
    const client = await connectClient(folder, args)
    for (const [name, echo] of Object.entries(ECHOES)) {
      login.replace = { request: 'tools/call', answer: echo }
      const result = await call(client, tool)
      expect(login.requests.some(({ head }) => head.includes(TOKEN))).toBe(true)
      expect(result, name).toContain('***')
      expect(result, name).not.toContain(TOKEN)
    }
    await client.close()
    expect(readKept()).not.toContain(TOKEN)
  },
)

/** A folder with a login that expires, whose authorization server leaves requests for tokens without an answer. `arrived`: the first of them. */
async function startWithoutTokens(): Promise<{
  login: RawLogin
  folder: string
  arrived: Promise<Socket>
}> {
  const login = await startRawLogin()
  const { url } = login.options
  keepLogin(url, login.server.origin)
  const folder = makeFolder({
    'toolblocks.toml': `[mcp.servers.greeter]\nurl = "${url}"\nrun = "unattended"\n`,
  })
  const arrived = new Promise<Socket>((resolve) => {
    login.replace = { request: 'refresh', answer: resolve }
  })
  return { login, folder, arrived }
}

test.skipIf(process.platform === 'win32')(
  'promise logins: a logout beside a host that waits for tokens ends with a signal at once, and by itself when the request of the host has ended',
  async () => {
    const { folder, arrived } = await startWithoutTokens()
    const host = toolblocks(folder, 'mcp', 'list')
    const connection = await arrived
    for (const [signal, code] of [
      ['SIGTERM', 143],
      ['SIGINT', 130],
    ] as const) {
      const logout = startToolblocks(folder, ['mcp', 'logout', 'greeter'])
      await logout.said(/Still waiting for process \d+, which renews this login\. Ctrl-C/)
      expect(await logout.end(signal)).toBe(code)
      // The host still waits for tokens.
      expect(connection.closed).toBe(false)
    }
    const ended = await toolblocks(folder, 'mcp', 'logout', 'greeter')
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('You are logged out') })
    expect(connection.closed).toBe(true)
    expect((await host).stdout).toContain('greeter')
    const status = await toolblocks(folder, 'mcp', 'status')
    expect(status.stdout).toBe('greeter: not logged in\n')
  },
  60_000,
)

test.skipIf(process.platform === 'win32')(
  'promise logins: a logout beside a host that was stopped says who it waits for, ends with a signal at once, and otherwise with what to do; the login stays',
  async () => {
    const { login, folder, arrived } = await startWithoutTokens()
    const host = startToolblocks(folder, ['mcp', 'list'])
    const connection = await arrived
    host.send('SIGSTOP')
    const logOut = (): ReturnType<typeof startToolblocks> =>
      startToolblocks(folder, ['mcp', 'logout', 'greeter'])
    const [cancelled, ended, patient] = [logOut(), logOut(), logOut()]
    let isOver = false
    const over = patient.ended().finally(() => (isOver = true))
    const waits = new RegExp(`Still waiting for process ${host.pid}, which renews this login`)
    await Promise.all([cancelled, ended, patient].map(async (each) => await each.said(waits)))
    expect([await cancelled.end('SIGINT'), await ended.end('SIGTERM')]).toEqual([130, 143])
    expect(isOver).toBe(false)
    expect(await over).toBe(1)
    await patient.said(
      new RegExp(
        `error: the login at ${login.server.origin} was not changed: process ${host.pid} changes it and has not finished within 30 seconds\\. Continue that process if it is stopped \\("fg"\\), or end it, and try again`,
      ),
    )
    expect((await toolblocks(folder, 'mcp', 'status')).stdout).toContain('greeter: logged in')
    host.send('SIGCONT')
    connection.destroy()
    await host.ended()
    const last = await toolblocks(folder, 'mcp', 'logout', 'greeter')
    expect(last).toMatchObject({ code: 0, stdout: expect.stringContaining('You are logged out') })
  },
  90_000,
)

test.skipIf(process.platform === 'win32')(
  'promise logins: a service over HTTP that must end does not wait for renewals whose tokens never come',
  async () => {
    const login = await startRawLogin()
    const { url } = login.options
    keepLogin(url, login.server.origin, { expiresAt: Date.now() + 3_600_000 })
    const renewals: Socket[] = []
    login.replace = { request: 'refresh', answer: (socket) => void renewals.push(socket) }
    const untilRenewals = async (count: number): Promise<void> =>
      await expect.poll(() => renewals.length, { timeout: 20_000 }).toBe(count)
    const { served, running } = await startOverHttp(makeFolder({}), ['--server', `greeter=${url}`])
    const clients = await Promise.all(
      Array.from({ length: 8 }, async () => await connectOverHttp(served)),
    )
    for (const client of clients) expect((await client.listTools()).tools).toHaveLength(2)
    // From now on the server accepts the token of no client, and each client needs a renewal.
    login.refused = [...MCP_REQUESTS['2025-11-25'], 'notifications/cancelled']
    const calls = clients.map(
      async (client) => await client.callTool({ name: 'echo', arguments: {} }),
    )
    const settled = Promise.allSettled(calls)
    await untilRenewals(1)
    // Another program renews its login from now on, until the time limit of its request.
    const other = createOAuth({ url, credentials: await keepExpired(login) })
    let isOver = false
    const otherRenewal = other
      .fetch(new URL(url), { method: 'POST' })
      .catch(() => undefined)
      .finally(() => (isOver = true))
    await untilRenewals(2)
    running.send('SIGTERM')
    // The renewal of the next client begins while running calls may still end.
    renewals[0]?.destroy()
    await untilRenewals(3)
    expect(await running.ended()).toBe(0)
    expect(isOver).toBe(false)
    expect(renewals).toHaveLength(3)
    await settled
    renewals[1]?.destroy()
    await otherRenewal
  },
  60_000,
)

/** Returns a place in memory with a login whose token has expired. */
async function keepExpired({ server, options }: RawLogin): Promise<CredentialStore> {
  const credentials = keepInMemory()
  await credentials.change(options.url, async () => ({
    server: options.url,
    issuer: server.origin,
    client: { id: 'registered' },
    accessToken: 'expired',
    refreshToken: 'another',
    expiresAt: 0,
  }))
  return credentials
}
