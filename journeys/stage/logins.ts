import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import {
  type AuthorizationServer,
  browse,
  isRedirect,
  type ProtectedServer,
  startAuthorizationServer,
  startProtectedServer,
} from '../../packages/mcp-bridge/src/testing/authorization-server.suite.ts'
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
  ...given: Parameters<typeof startAuthorizationServer>
): Promise<LoginFolder> {
  const authorization = await startAuthorizationServer(...given)
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

/** Lets a person agree: follows the redirects from an address to the one that a program waits at, and returns it. */
export async function agreeAt(address: string): Promise<string> {
  return (await browse(address, isRedirect)).href
}

/** Runs `toolblocks mcp login greeter` with a browser that agrees to everything. */
export async function logIn(
  { folder }: Pick<LoginFolder, 'folder'>,
  ...words: readonly string[]
): Promise<Ran> {
  const bin = makeFolder({})
  const [opener, opened] = [join(bin, 'xdg-open'), join(bin, 'opened')]
  writeFileSync(
    opener,
    `#!/bin/sh\ncat "\${1#file://}" > "${opened}.part"\nmv "${opened}.part" "${opened}"\n`,
  )
  chmodSync(opener, 0o755)
  const environment = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}` }
  const ran = run(folder, ['mcp', 'login', 'greeter', ...words], environment)
  await expect.poll(() => existsSync(opened), { timeout: 15_000 }).toBe(true)
  const [, address = ''] = /url=([^"]+)"/.exec(readFileSync(opened, 'utf8')) ?? []
  await (await fetch(await agreeAt(address.replaceAll('&amp;', '&')))).text()
  return await ran
}
