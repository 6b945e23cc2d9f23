import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Credential } from '@toolblocks/mcp-bridge/oauth'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type LoginPlace, openKeychain, openLoginFile } from './login-places.ts'
import { keepIn } from './open-logins.ts'

const credential = (accessToken: string): Credential => ({
  server: 'https://a.example/mcp',
  issuer: 'https://login.example',
  client: { id: 'c' },
  accessToken,
  refreshToken: 'r',
})

const KEY = 'https://a.example/mcp'

function makeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-logins-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'data', 'logins.json')
}

/** A place of secrets in memory that takes secrets up to a length, as the keychain of Windows does. */
function openSmallPlace(maxLength: number): LoginPlace {
  const kept = new Map<string, string>()
  return {
    name: 'a small place',
    read: async (key) => kept.get(key),
    write: async (key, secret) => {
      if (secret.length > maxLength) throw new Error('too long')
      kept.set(key, secret)
    },
    remove: async (key) => void kept.delete(key),
  }
}

test('a login is read again by another process, from a file that only its user can read', async () => {
  const file = makeFile()
  await keepIn([openLoginFile(file)], file).change(KEY, async () => credential('one'))
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const other = keepIn([openLoginFile(file)], file)
  expect(await other.read(KEY)).toEqual(credential('one'))
  expect(await other.findPlace(KEY)).toBe(file)
  expect(await other.read('https://b.example/mcp')).toBeUndefined()
})

test('changes of one login run one after another, and one that fails changes nothing', async () => {
  const file = makeFile()
  const [one, other] = [keepIn([openLoginFile(file)], file), keepIn([openLoginFile(file)], file)]
  await one.change(KEY, async () => credential('0'))
  const count = async (current: Credential | undefined): Promise<Credential> => {
    await new Promise(setImmediate)
    return credential(String(Number(current?.accessToken) + 1))
  }
  await Promise.all([one.change(KEY, count), other.change(KEY, count), one.change(KEY, count)])
  const fail = one.change(KEY, async () => await Promise.reject(new Error('no')))
  await expect(fail).rejects.toThrow('no')
  expect((await other.read(KEY))?.accessToken).toBe('3')
})

test('what the keychain does not take is in the file, and the newest login counts', async () => {
  const file = makeFile()
  const logins = keepIn([openSmallPlace(300), openLoginFile(file)], file)
  await logins.change(KEY, async () => credential('short'))
  expect(await logins.findPlace(KEY)).toBe('a small place')
  await logins.change(KEY, async () => credential('l'.repeat(400)))
  expect(await logins.findPlace(KEY)).toBe(file)
  expect((await logins.read(KEY))?.accessToken).toHaveLength(400)
  await logins.change(KEY, async () => undefined)
  expect(await logins.findPlace(KEY)).toBeUndefined()
  expect(readFileSync(file, 'utf8')).not.toContain('llll')
})

/** A slow place, like a keychain. `steps`: what was done. */
function openSlowPlace(name: string, steps: string[], failing = false): LoginPlace {
  const kept = new Map<string, string>()
  const take = async (step: string): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
    steps.push(`${step} ${name}`)
    if (failing && step === 'write') throw new Error('too long')
  }
  return {
    name,
    read: async (key) => kept.get(key),
    write: async (key, secret) => {
      await take('write')
      kept.set(key, secret)
    },
    remove: async (key) => {
      await take('remove')
      kept.delete(key)
    },
  }
}

test.for([
  [false, ['write one', 'remove other', 'changed', 'remove one', 'remove other', 'changed']],
  [
    true,
    ['write one', 'write other', 'remove one', 'changed', 'remove one', 'remove other', 'changed'],
  ],
] as const)(
  'a login is in one place, and in none after a logout, before the change ends: %s',
  async ([isFailing, expected]) => {
    const steps: string[] = []
    const places = [openSlowPlace('one', steps, isFailing), openSlowPlace('other', steps)]
    const logins = keepIn(places, makeFile())
    await logins.change(KEY, async () => credential('one'))
    steps.push('changed')
    expect(await logins.findPlace(KEY)).toBe(isFailing ? 'other' : 'one')
    await logins.change(KEY, async () => undefined)
    steps.push('changed')
    expect(await logins.findPlace(KEY)).toBeUndefined()
    expect(steps).toEqual(expected)
  },
)

test('a change that waits too long for another one fails, and may be tried again later', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const file = makeFile()
  const logins = keepIn([openLoginFile(file)], file)
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<Credential>()]
  const long = logins.change(KEY, async () => {
    begun.resolve()
    return await end.promise
  })
  await begun.promise
  const waiting = logins.change(KEY, async () => credential('two'))
  vi.advanceTimersByTime(30_001)
  await expect(waiting).rejects.toMatchObject({ name: 'AuthorizationError', transient: true })
  end.resolve(credential('one'))
  await long
  expect((await logins.read(KEY))?.accessToken).toBe('one')
})

test('a login is in its file, and gone from it, when the change ends', async () => {
  const file = makeFile()
  const loginPlace = openLoginFile(file)
  await loginPlace.write(KEY, 'marked')
  expect(readFileSync(file, 'utf8')).toContain('marked')
  await loginPlace.remove(KEY)
  expect(readFileSync(file, 'utf8')).not.toContain('marked')
})

test.skipIf(process.platform === 'win32')(
  'a file that others can read or that has another content is not used and not replaced',
  async () => {
    const file = makeFile()
    const logins = keepIn([openLoginFile(file)], file)
    await logins.change(KEY, async () => credential('one'))
    chmodSync(file, 0o640)
    await expect(logins.read(KEY)).rejects.toMatchObject({
      name: 'AuthorizationError',
      reason: `other users can read the logins in ${file}`,
    })
    await expect(logins.change(KEY, async () => credential('two'))).rejects.toThrow('other users')
    expect(readFileSync(file, 'utf8')).toContain('one')
    chmodSync(file, 0o600)
    writeFileSync(file, '{"logins": secret')
    const error: unknown = await logins.read(KEY).catch((thrown: unknown) => thrown)
    expect(String(error)).toContain('has no logins that can be read')
    expect(String(error)).not.toContain('secret')
  },
)

test('a login of another server, or with other fields, is not used', async () => {
  const file = makeFile()
  const loginPlace = openLoginFile(file)
  const logins = keepIn([loginPlace], file)
  for (const odd of [
    { ...credential('one'), server: 'https://b.example/mcp' },
    { server: KEY },
    null,
    1,
  ]) {
    await loginPlace.write(KEY, JSON.stringify({ savedAt: 1, credential: odd }))
    expect(await logins.read(KEY)).toBeUndefined()
  }
})

test.skipIf(process.platform !== 'linux' || process.env['DBUS_SESSION_BUS_ADDRESS'] !== undefined)(
  'on Linux without a secret service there is no keychain: the keyring of the kernel is not used',
  async () => {
    expect(await openKeychain()).toBeUndefined()
  },
)
