import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStore } from '@toolblocks/conversation-store'
import type { Credential } from '@toolblocks/mcp-bridge/oauth'
import { isJsonObject } from '@toolblocks/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createValueSealer } from '../sign-in/seal-values.ts'
import { readCredentialsKey } from './credentials-key.ts'
import { listStoredLogins, openStoredLogins, removeStoredLogin } from './stored-logins.ts'

const URL_OF_DESK = 'https://desk.example/mcp'
const ANN = { id: '["client","ann"]', name: 'ann' }
const BEN = { id: '["client","ben"]', name: 'ben' }
const KEY = randomBytes(32)

const credential = (token: string): Credential => ({
  server: URL_OF_DESK,
  issuer: 'https://login.example',
  client: { id: 'c' },
  accessToken: `access-${token}`,
  refreshToken: `refresh-${token}`,
})

/** Opens the same store twice, as two replicas do. */
async function openTwice({ lockMs = 60_000, key = KEY }: { lockMs?: number; key?: Buffer } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-logins-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'c.db')
  const warnings: string[] = []
  const open = async () => {
    const { documents, close } = await openStore(`sqlite:${file}`)
    onTestFinished(async () => await close())
    const warn = (message: string): void => void warnings.push(message)
    const sealer = createValueSealer(key, 'server-logins')
    return { documents, logins: openStoredLogins(documents, sealer, { warn, lockMs }) }
  }
  return { one: await open(), other: await open(), file, warnings, folder }
}

describe('the login of a person', () => {
  test('is found by every replica, by no other person, and its tokens are not in the file', async () => {
    const { one, other, folder } = await openTwice()
    await one.logins.of(ANN, 'desk').change(URL_OF_DESK, async () => credential('ann'))
    expect(await other.logins.of(ANN, 'desk').read(URL_OF_DESK)).toEqual(credential('ann'))
    for (const [person, server, url] of [
      [BEN, 'desk', URL_OF_DESK],
      [ANN, 'other', URL_OF_DESK],
      [ANN, 'desk', 'https://evil.example/mcp'],
    ] as const)
      expect(await other.logins.of(person, server).read(url)).toBeUndefined()
    for (const name of ['c.db', 'c.db-wal'])
      expect(readFileSync(join(folder, name)).toString('latin1')).not.toMatch(
        /access-ann|refresh-ann/,
      )
  })

  test('counts as none if its row was changed outside the store, until the person logs in again or an operator removes it', async () => {
    const { one, file, warnings } = await openTwice()
    const { documents, logins } = one
    const damage = (): void => {
      const database = new DatabaseSync(file)
      database.exec(`UPDATE documents SET bytes = x'7b7d' WHERE collection = 'server-login'`)
      database.close()
    }
    const ofAnn = logins.of(ANN, 'desk')
    await ofAnn.change(URL_OF_DESK, async () => credential('ann'))
    damage()
    expect(await ofAnn.read(URL_OF_DESK)).toBeUndefined()
    expect(await ofAnn.isUsable(URL_OF_DESK)).toBe(false)
    expect(warnings).toEqual(['the login of ann at desk cannot be read: its row was changed'])
    await ofAnn.change(URL_OF_DESK, async () => credential('again'))
    expect(await ofAnn.read(URL_OF_DESK)).toEqual(credential('again'))
    damage()
    const [row] = await listStoredLogins(documents)
    expect(row).toMatchObject({ isDamaged: true, name: '' })
    expect(await removeStoredLogin(documents, row?.id ?? '')).toEqual({ server: '', name: '' })
    expect(await listStoredLogins(documents)).toEqual([])
    expect(await ofAnn.read(URL_OF_DESK)).toBeUndefined()
  })

  test('is not given to another person by who writes into the store', async () => {
    const { one, warnings } = await openTwice()
    const { documents, logins } = one
    await logins.of(ANN, 'desk').change(URL_OF_DESK, async () => credential('ann'))
    await logins.of(BEN, 'desk').change(URL_OF_DESK, async () => credential('ben'))
    const rows = (await documents.list('server-login')).documents
    const [ann, ben] = rows.map(({ value }) => (isJsonObject(value) ? value : {}))
    const [, row] = rows
    const write = { collection: 'server-login', state: 'kept', id: row?.id ?? '' }
    const sealed = typeof ann?.['sealed'] === 'string' ? ann['sealed'] : ''
    await documents.write({ ...write, version: row?.version ?? 0, value: { ...ben, sealed } })
    expect(await logins.of(BEN, 'desk').read(URL_OF_DESK)).toBeUndefined()
    expect(warnings).toEqual([expect.stringContaining('the login of ben at desk cannot be opened')])
    // One changed character.
    const changed = sealed.slice(0, 30) + (sealed[30] === 'A' ? 'B' : 'A') + sealed.slice(31)
    const version = (row?.version ?? 0) + 1
    await documents.write({ ...write, version, value: { ...ben, sealed: changed } })
    expect(await logins.of(BEN, 'desk').read(URL_OF_DESK)).toBeUndefined()
    // A new login replaces it.
    await logins.of(BEN, 'desk').change(URL_OF_DESK, async () => credential('new'))
    expect(await logins.of(BEN, 'desk').read(URL_OF_DESK)).toEqual(credential('new'))
  })

  test('is renewed once, also if two replicas begin at the same time, many times in a row', async () => {
    const { one, other } = await openTwice()
    const both = [one.logins.of(ANN, 'desk'), other.logins.of(ANN, 'desk')]
    await both[0]?.change(URL_OF_DESK, async () => credential('0'))
    /** The refresh tokens that the authorization server has accepted. Each is accepted once. */
    const accepted: (string | undefined)[] = []
    let running = 0
    for (let round = 1; round <= 5; round += 1) {
      const refused = (await both[0]?.read(URL_OF_DESK))?.accessToken
      const renewed = await Promise.all(
        [...both, ...both].map(
          async (login) =>
            await login.change(URL_OF_DESK, async (current) => {
              expect((running += 1)).toBe(1)
              await new Promise((resolve) => setImmediate(resolve))
              running -= 1
              if (current?.accessToken !== refused) return current
              accepted.push(current?.refreshToken)
              return credential(String(round))
            }),
        ),
      )
      expect(renewed).toEqual(Array(4).fill(credential(String(round))))
    }
    expect(accepted).toEqual([0, 1, 2, 3, 4].map((count) => `refresh-${count}`))
  })

  test('can be changed again when the process that changed it has ended, and its late change is lost', async () => {
    const { one, other } = await openTwice({ lockMs: 50 })
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const late = one.logins.of(ANN, 'desk').change(URL_OF_DESK, async () => {
      begin()
      await held
      return credential('late')
    })
    await begun
    const login = other.logins.of(ANN, 'desk')
    await login.change(URL_OF_DESK, async () => credential('new'))
    release()
    expect(await late).toEqual(credential('new'))
    expect(await login.read(URL_OF_DESK)).toEqual(credential('new'))
  })

  test('is unchanged if a change fails, and waits end with their signal', async () => {
    const { one, other } = await openTwice()
    const login = one.logins.of(ANN, 'desk')
    await login.change(URL_OF_DESK, async () => credential('a'))
    const fail = async (): Promise<Credential> => await Promise.reject(new Error('away'))
    await expect(login.change(URL_OF_DESK, fail)).rejects.toThrow('away')
    expect(await login.read(URL_OF_DESK)).toEqual(credential('a'))
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const first = login.change(URL_OF_DESK, async (current) => {
      begin()
      await held
      return current
    })
    await begun
    const waiting = new AbortController()
    const second = other.logins
      .of(ANN, 'desk')
      .change(URL_OF_DESK, async () => credential('b'), waiting.signal)
    waiting.abort(new Error('enough'))
    await expect(second).rejects.toThrow('enough')
    release()
    expect(await first).toEqual(credential('a'))
  })

  test('is listed without its tokens, and removed for all replicas', async () => {
    const { one, other } = await openTwice()
    const login = one.logins.of(ANN, 'desk')
    await login.change(URL_OF_DESK, async () => credential('a'))
    const [listed, ...more] = await listStoredLogins(other.documents)
    expect(more).toEqual([])
    expect(listed).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      name: 'ann',
      server: 'desk',
      since: expect.stringMatching(/^\d{4}-/),
    })
    // A renewal is not a new login.
    await login.change(URL_OF_DESK, async () => credential('b'))
    expect((await listStoredLogins(other.documents))[0]?.since).toBe(listed?.since)
    expect(await removeStoredLogin(other.documents, listed?.id ?? '')).toEqual({
      server: 'desk',
      name: 'ann',
    })
    expect(await removeStoredLogin(other.documents, listed?.id ?? '')).toBeUndefined()
    expect(await login.read(URL_OF_DESK)).toBeUndefined()
    expect(await listStoredLogins(one.documents)).toEqual([])
  })
})

test.for<[string, string, unknown]>([
  ['base64', randomBytes(32).toString('base64'), 32],
  ['hexadecimal digits', randomBytes(32).toString('hex'), 32],
  ['a line break', `${randomBytes(32).toString('base64')}\n`, 32],
  ['too few bytes', randomBytes(16).toString('base64'), expect.stringContaining('got 16')],
  ['nothing', '', expect.stringContaining('openssl rand -base64 32')],
])('a key with %s', ([, text, expected]) => {
  const read = readCredentialsKey(
    { root: '/', file: undefined },
    { TOOLBLOCKS_CREDENTIALS_KEY: text },
  )
  const got = read.ok ? read.key.length : read.message
  expect(got).toEqual(expected)
  const isTold = text !== '' && String(got).includes(text)
  expect(isTold).toBe(false)
})
