import { chmodSync, readFileSync, statSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { startToolblocks, toolblocks, visit } from '../stage/command.ts'
import { redirectPath } from '../../packages/mcp-bridge/src/testing/authorization-server.support.ts'
import { agreeAt, logIn, makeLoginFolder } from '../stage/logins.ts'

// A scripted browser takes the place of the desktop's program, which other systems start by its path.
const isElsewhere = process.platform !== 'linux'

/** Returns the secrets of every login. */
function readSecrets(file: string): string[] {
  const { logins } = JSON.parse(readFileSync(file, 'utf8')) as { logins: Record<string, string> }
  return Object.values(logins).flatMap((text) => {
    const { credential } = JSON.parse(text) as { credential: Record<string, string> }
    return [credential['accessToken'] ?? '', credential['refreshToken'] ?? '']
  })
}

test('promise logins: a server that requires a login says which command logs in', async () => {
  const { folder } = await makeLoginFolder()
  const list = await toolblocks(folder, 'mcp', 'list')
  expect(list.code).toBe(1)
  expect(list.stdout).toContain('the server requires a login')
  expect(list.stdout).toContain('fix: Run: toolblocks mcp login greeter')
  const call = await toolblocks(folder, 'call', 'greeter__greet')
  expect(call.stderr).toContain('toolblocks mcp login greeter')
  const status = await toolblocks(folder, 'mcp', 'status')
  expect(status.stdout).toBe('greeter: not logged in\n')
})

test.skipIf(isElsewhere)(
  'promise logins: after mcp login with a browser, the tools of the server are listed and called',
  async () => {
    const login = await makeLoginFolder()
    const { folder, authorization, file } = login
    const ran = await logIn(login)
    expect([ran.code, ran.stdout]).toEqual([
      0,
      `You are logged in to "greeter": at ${authorization.issuer}, renewed automatically, with the scopes mcp:read offline_access, kept in ${file}.\n`,
    ])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const list = await toolblocks(folder, 'mcp', 'list')
    expect([list.code, list.stdout]).toEqual([0, expect.stringContaining('tools: greet')])
    const call = await toolblocks(folder, 'call', 'greeter__greet')
    expect([call.code, call.stdout]).toEqual([0, expect.stringContaining('Hello Ada')])
    const status = await toolblocks(folder, 'mcp', 'status', '--output', 'json')
    expect(JSON.parse(status.stdout)).toMatchObject([
      { name: 'greeter', issuer: authorization.issuer, isRenewed: true, place: file },
    ])
  },
)

test('promise logins: without a browser, the address is printed and the answer is pasted at the terminal', async () => {
  const { folder, authorization } = await makeLoginFolder()
  const { code, written } = await visit(
    folder,
    ['mcp', 'login', 'greeter', '--no-browser', '--scope', 'mcp:write'],
    [
      [
        /Address or code: /,
        async (screen) => {
          const [, address = ''] = /(http\S+\/auth\?\S+)/.exec(screen) ?? []
          return `${await agreeAt(address)}\r`
        },
      ],
    ],
    { columns: 2000 },
  )
  expect(code, written).toBe(0)
  expect(written).toContain('with the scopes mcp:write offline_access')
  expect(authorization.grants).toEqual(['authorization_code'])
  const list = await toolblocks(folder, 'mcp', 'list')
  expect(list.code).toBe(0)
})

test.skipIf(isElsewhere)(
  'promise logins: two commands at the same time renew a login once',
  async () => {
    const login = await makeLoginFolder()
    const { folder, authorization } = login
    authorization.lifetimes.accessTokenSeconds = 20
    await logIn(login)
    authorization.lifetimes.accessTokenSeconds = 3600
    const lists = await Promise.all([
      toolblocks(folder, 'mcp', 'list'),
      toolblocks(folder, 'mcp', 'list'),
      toolblocks(folder, 'mcp', 'list'),
    ])
    expect(lists.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(authorization.grants).toEqual(['authorization_code', 'refresh_token'])
  },
)

test.skipIf(isElsewhere)(
  'promise logins: a login that cannot be renewed stays, and says how to log in again',
  async () => {
    const login = await makeLoginFolder()
    const { folder, authorization, file } = login
    authorization.lifetimes.accessTokenSeconds = 20
    await logIn(login)
    const secrets = readSecrets(file)
    authorization.intercept = ({ url }, response) => {
      if (url !== '/token') return false
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end('{"error":"invalid_grant"}')
      return true
    }
    const early = await toolblocks(folder, 'mcp', 'list')
    expect(early.code).toBe(0)
    expect(readSecrets(file)).toEqual(secrets)
    const doctor = await toolblocks(folder, 'doctor')
    expect(doctor.stdout).toContain('over (invalid_grant)')
    expect(doctor.stdout).toContain('toolblocks mcp login greeter')
    authorization.intercept = undefined
    await logIn(login)
    const status = await toolblocks(folder, 'mcp', 'status')
    expect(status.stdout).toContain('renewed automatically')
  },
)

test.skipIf(isElsewhere)(
  'promise logins: trust, doctor and status show where a login is kept, and no command shows a token',
  async () => {
    const login = await makeLoginFolder()
    const { folder, file } = login
    await logIn(login)
    const runs = await Promise.all([
      toolblocks(folder, 'trust'),
      toolblocks(folder, 'doctor'),
      toolblocks(folder, 'mcp', 'status'),
    ])
    for (const { stdout } of runs) expect(stdout).toContain(file)
    const inspect = await toolblocks(
      folder,
      'mcp',
      'inspect',
      'greeter',
      'greet',
      '--output',
      'json',
    )
    expect(inspect.code).toBe(0)
    const everything = JSON.stringify([...runs, inspect])
    const secrets = readSecrets(file)
    expect(secrets.every((secret) => secret.length > 20)).toBe(true)
    expect(secrets.filter((secret) => everything.includes(secret))).toEqual([])
  },
)

test.skipIf(isElsewhere)(
  'promise logins: after mcp logout the tokens are revoked, and the server requires a login',
  async () => {
    const login = await makeLoginFolder()
    const { folder, server } = login
    await logIn(login)
    const logout = await toolblocks(folder, 'mcp', 'logout', 'greeter')
    expect([logout.code, logout.stdout]).toEqual([
      0,
      'You are logged out of "greeter", and the authorization server has revoked the tokens.\n',
    ])
    const list = await toolblocks(folder, 'mcp', 'list')
    expect(list.code).toBe(1)
    expect(server.tokens).toEqual([])
  },
)

test.skipIf(isElsewhere)(
  'promise logins: a login that is killed in the middle leaves nothing, and the next one succeeds',
  async () => {
    const login = await makeLoginFolder()
    const { folder, authorization } = login
    const { said: waitForOutput, end } = startToolblocks(folder, [
      'mcp',
      'login',
      'greeter',
      '--no-browser',
    ])
    const [address = ''] = await waitForOutput(/http\S+\/auth\?\S+/)
    await end('SIGKILL')
    const answer = await agreeAt(address)
    await expect(fetch(answer)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    const status = await toolblocks(folder, 'mcp', 'status')
    expect(status.stdout).toBe('greeter: not logged in\n')
    expect((await logIn(login)).code).toBe(0)
    expect(authorization.grants).toEqual(['authorization_code'])
  },
)

test.skipIf(isElsewhere)(
  'promise logins: a file of logins that others can read is not used',
  async () => {
    const login = await makeLoginFolder()
    const { folder, file, server } = login
    await logIn(login)
    chmodSync(file, 0o644)
    const list = await toolblocks(folder, 'mcp', 'list')
    expect(list.code).toBe(1)
    expect(list.stdout).toContain(`other users can read the logins in ${file}`)
    expect(list.stdout).toContain(`chmod 600 ${file}`)
    expect(server.tokens).toEqual([])
    chmodSync(file, 0o600)
    expect((await toolblocks(folder, 'mcp', 'list')).code).toBe(0)
  },
)

test('promise logins: Ctrl-C ends a login', async () => {
  const { folder } = await makeLoginFolder()
  const args = ['mcp', 'login', 'greeter', '--no-browser']
  const { code } = await visit(folder, args, [[/Address or code: /, '\u0003']])
  expect(code).toBe(130)
})

test('promise logins: a server that is a program, or has a header with credentials, has no login', async () => {
  const { folder } = await makeLoginFolder('headers = { Authorization = "Bearer own" }\n')
  const login = await toolblocks(folder, 'mcp', 'login', 'greeter')
  expect(login.code).toBe(2)
  expect(login.stderr).toContain('there is no login for the server "greeter"')
  const unknown = await toolblocks(folder, 'mcp', 'login', 'greter')
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toContain('greeter')
})

test.skipIf(isElsewhere)(
  'promise logins: an ID, its secret, a port and scopes from the configuration are used for the login',
  async () => {
    const port = 20_000 + (process.pid % 10_000)
    process.env['GREETER_SECRET'] = 'of the journey'
    onTestFinished(() => void delete process.env['GREETER_SECRET'])
    const oauth = `oauth = { client_id = "by-hand", client_secret = "\${GREETER_SECRET}", redirect_port = ${port}, scopes = ["mcp:write"] }\n`
    const login = await makeLoginFolder(oauth, (issuer) => ({
      clients: [
        {
          client_id: 'by-hand',
          client_secret: 'of the journey',
          // The authorization server accepts no other port of this client.
          redirect_uris: [`http://127.0.0.1:${port}${redirectPath(issuer)}`],
          application_type: 'native',
          grant_types: ['authorization_code', 'refresh_token'],
        },
      ],
    }))
    const { issuer } = login.authorization
    const refused = await toolblocks(login.folder, 'mcp', 'login', 'greeter')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('the configuration does not say that client_secret is for it')
    expect(refused.stderr).toContain(`toolblocks mcp login greeter --issuer ${issuer}`)
    const ran = await logIn(login, '--issuer', issuer)
    expect(ran).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('with the scopes mcp:write offline_access'),
    })
    const { stdout, stderr } = await toolblocks(login.folder, 'trust')
    expect(stderr).toContain('a login with {"client_id":"by-hand"')
    expect(stdout + stderr).not.toContain('of the journey')
    expect((await toolblocks(login.folder, 'mcp', 'list')).code).toBe(0)
  },
)
