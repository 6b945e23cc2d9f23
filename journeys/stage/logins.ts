import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import {
  type AuthorizationServer,
  browse,
  isRedirect,
  type ProtectedServer,
  startAuthorizationServer,
  startProtectedServer,
} from '../../packages/mcp-bridge/src/testing/authorization-server.support.ts'
import { run, type Ran } from './command.ts'
import { makeFolder } from './folder.ts'

/** A folder whose server `greeter` requires a login. */
export interface LoginFolder {
  folder: string
  authorization: AuthorizationServer
  server: ProtectedServer
  /** The file with the logins. */
  file: string
}

/** Starts both servers until the test ends. `more` is TOML of the server. */
export async function makeLoginFolder(
  more = '',
  ...parameters: Parameters<typeof startAuthorizationServer>
): Promise<LoginFolder> {
  const authorization = await startAuthorizationServer(...parameters)
  onTestFinished(authorization.close)
  const server = await startProtectedServer(authorization)
  onTestFinished(server.close)
  const table = `[mcp.servers.greeter]\nurl = "${server.url}"\nrun = "unattended"\n${more}`
  const folder = makeFolder({ 'toolblocks.toml': table })
  return { folder, authorization, server, file: loginFile() }
}

/** Returns the path of the file with the logins. */
export function loginFile(): string {
  return join(process.env['XDG_DATA_HOME'] ?? '', 'toolblocks', 'logins.json')
}

/** Keeps a login at a server, as `toolblocks mcp login` does. Default: its token has expired. */
export function keepLogin(
  server: string,
  issuer: string,
  { accessToken = 'the-access-token', expiresAt = 0 } = {},
): void {
  const credential = {
    server,
    issuer,
    resource: server,
    client: { id: 'registered' },
    accessToken,
    refreshToken: 'the-refresh-token',
    expiresAt,
  }
  const file = loginFile()
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const logins = { [server]: JSON.stringify({ savedAt: Date.now(), credential }) }
  writeFileSync(file, JSON.stringify({ logins }), { mode: 0o600 })
}

/** Lets a person agree: follows the redirects from an address to the one that a program waits at, and returns it. */
export async function agreeAt(address: string): Promise<string> {
  return (await browse(address, isRedirect)).href
}

/** Runs `toolblocks mcp login greeter` with a browser that agrees to everything. */
export async function logIn(
  { folder }: Pick<LoginFolder, 'folder'>,
  ...args: readonly string[]
): Promise<Ran> {
  const bin = makeFolder({})
  const [opener, opened] = [join(bin, 'xdg-open'), join(bin, 'opened')]
  writeFileSync(
    opener,
    `#!/bin/sh\ncat "\${1#file://}" > "${opened}.part"\nmv "${opened}.part" "${opened}"\n`,
  )
  chmodSync(opener, 0o755)
  const environment = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}` }
  const ran = run(folder, ['mcp', 'login', 'greeter', ...args], environment)
  await expect.poll(() => existsSync(opened), { timeout: 15_000 }).toBe(true)
  const [, address = ''] = /url=([^"]+)"/.exec(readFileSync(opened, 'utf8')) ?? []
  await (await fetch(await agreeAt(address.replaceAll('&amp;', '&')))).text()
  return await ran
}
