import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { getFileLock, getOwnLock, type LockWait, withLock } from './with-lock.ts'

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolblocks-locks-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Starts a process that holds the lock of a file until it is killed. */
async function startHolder(file: string): Promise<ChildProcess> {
  const module = fileURLToPath(new URL('with-lock.ts', import.meta.url))
  const program = `
    const { getOwnLock, withLock } = await import(${JSON.stringify(module)})
    await withLock(getOwnLock(process.argv[1]), {}, async () => {
      console.log('held')
      await new Promise((resolve) => setInterval(resolve, 1e9))
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

test('works with one lock run one after another, also if one fails', async () => {
  const lock = getOwnLock(join(makeFolder(), 'a.json'))
  let count = 0
  const add = async (): Promise<void> => {
    const before = count
    await new Promise(setImmediate)
    count = before + 1
  }
  const failing = withLock(lock, {}, async () => await Promise.reject(new Error('no')))
  await Promise.all([
    expect(failing).rejects.toThrow('no'),
    ...[1, 2, 3].map(() => withLock(lock, {}, add)),
  ])
  expect(count).toBe(3)
})

test('a wait says who holds the lock, ends in time with what to do, and the work does not run', async () => {
  const file = join(makeFolder(), 'a.json')
  const { pid } = await startHolder(file)
  const waits: string[] = []
  const work = vi.fn<() => void>()
  const wait: LockWait = { patienceMs: 1200, onWait: (what) => waits.push(what) }
  await expect(withLock(getOwnLock(file), wait, work)).rejects.toMatchObject({
    name: 'LockHeld',
    message: expect.stringMatching(
      new RegExp(
        `^${file} was not changed: process ${pid} changes it .* Continue that process .*, or end it`,
      ),
    ),
  })
  expect(waits).toEqual([expect.stringMatching(`^process ${pid}, which changes ${file}$`)])
  expect(work).not.toHaveBeenCalled()
})

test('a signal ends the wait with its reason', async () => {
  const file = join(makeFolder(), 'a.json')
  await startHolder(file)
  const ending = new AbortController()
  const waiting = withLock(getOwnLock(file), { signal: ending.signal }, () => 1)
  ending.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
})

test('the lock of a process that was killed is free', async () => {
  const file = join(makeFolder(), 'a.json')
  const holder = await startHolder(file)
  const waiting = withLock(getOwnLock(file), {}, () => 'free')
  holder.kill('SIGKILL')
  expect(await waiting).toBe('free')
  expect(existsSync(`${file}.lock.holder`)).toBe(false)
})

test('a file of a person is locked in the data folder, under the same lock for all links to it', () => {
  const [data, folder] = [makeFolder(), makeFolder()]
  vi.stubEnv('XDG_DATA_HOME', data)
  onTestFinished(() => void vi.unstubAllEnvs())
  symlinkSync(folder, join(data, 'link'))
  const lock = getFileLock(join(folder, 'toolblocks.toml'))
  expect(dirname(lock.path)).toBe(join(data, 'toolblocks/locks'))
  expect(getFileLock(join(data, 'link/toolblocks.toml')).path).toBe(lock.path)
  expect(getFileLock(join(folder, 'other.toml')).path).not.toBe(lock.path)
})

test('the lock of a file is no link', async () => {
  const [folder, outside] = [makeFolder(), makeFolder()]
  const file = join(folder, 'a.json')
  symlinkSync(join(outside, 'missing'), `${file}.lock`)
  await expect(withLock(getOwnLock(file), {}, () => 1)).rejects.toThrow(/is a link/)
  expect(readdirSync(outside)).toEqual([])
})
