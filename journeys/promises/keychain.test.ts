import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { NO_KEYCHAIN, startKeychain } from '../stage/keychain.ts'
import { logIn, makeLoginFolder } from '../stage/logins.ts'

const skipped = NO_KEYCHAIN === undefined ? '' : ` (skipped: ${NO_KEYCHAIN})`

test.skipIf(NO_KEYCHAIN !== undefined)(
  `promise logins: a login is kept in the keychain of the system until mcp logout${skipped}`,
  async () => {
    await startKeychain()
    const login = await makeLoginFolder()
    const { folder, file } = login
    const ran = await logIn(login)
    expect([ran.code, ran.stdout]).toEqual([
      0,
      expect.stringContaining('kept in the keychain of the system'),
    ])
    expect(existsSync(file)).toBe(false)
    const call = await toolblocks(folder, 'call', 'greeter__greet')
    expect([call.code, call.stdout]).toEqual([0, expect.stringContaining('Hello Ada')])
    const logout = await toolblocks(folder, 'mcp', 'logout', 'greeter')
    expect([logout.code, logout.stdout]).toEqual([
      0,
      'You are logged out of "greeter", and the authorization server has revoked the tokens.\n',
    ])
    const status = await toolblocks(folder, 'mcp', 'status')
    expect(status.stdout).toBe('greeter: not logged in\n')
  },
)

test.skipIf(NO_KEYCHAIN !== undefined)(
  `promise logins: while the keychain is locked, each command says so, and no login is lost${skipped}`,
  async () => {
    const keychain = await startKeychain()
    const login = await makeLoginFolder()
    const { folder, file } = login
    await logIn(login)
    await keychain.lock()
    const reason =
      'could not be read from the keychain of the system ("Secret Service: unlock prompt was dismissed")'
    const fix = 'set the variable TOOLBLOCKS_LOGINS=file and log in again'
    for (const args of [
      ['call', 'greeter__greet'],
      ['mcp', 'list'],
      ['mcp', 'status'],
      ['mcp', 'login', 'greeter'],
      ['mcp', 'logout', 'greeter'],
      ['doctor'],
    ]) {
      const { code, stdout, stderr } = await toolblocks(folder, ...args)
      expect([args, code]).toEqual([args, 1])
      expect(stdout + stderr).toContain(reason)
      expect(stdout + stderr).toContain(fix)
    }
    const trust = await toolblocks(folder, 'trust')
    expect(trust.stdout).toContain(`It uses your logins\n  greeter: the login ${reason}`)

    await keychain.restart()
    const call = await toolblocks(folder, 'call', 'greeter__greet')
    expect([call.code, call.stdout]).toEqual([0, expect.stringContaining('Hello Ada')])
    expect(existsSync(file)).toBe(false)
  },
)

test.skipIf(NO_KEYCHAIN !== undefined)(
  `promise logins: a login that a locked keychain does not take is in the file, as mcp login says${skipped}`,
  async () => {
    const keychain = await startKeychain()
    await keychain.lock()
    const login = await makeLoginFolder()
    const { folder, file } = login
    const ran = await logIn(login)
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining(`kept in ${file}`)])
    expect(readFileSync(file, 'utf8')).toContain('accessToken')
    const call = await toolblocks(folder, 'call', 'greeter__greet')
    expect([call.code, call.stdout]).toEqual([0, expect.stringContaining('Hello Ada')])
  },
)
