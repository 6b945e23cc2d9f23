import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ConversationStore } from '../../store/conversation-store.ts'
import { openStore } from '../../open-store.ts'
import { checkLog } from './store-files.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolblocks-store-'))
  file = join(folder, 'c.db')
})
afterEach(async () => rm(folder, { recursive: true, force: true }))

async function write(first: number, count: number): Promise<ConversationStore> {
  const store = await openStore(`sqlite:${file}`)
  for (let seq = first; seq < first + count; seq++)
    await store.append('c', seq, [{ type: 'turn_start', turn: seq }])
  return store
}

/** Copies SQLite's files in their present state into another folder. */
async function copyTo(name: string): Promise<string> {
  const target = join(folder, name)
  await mkdir(target, { recursive: true })
  for (const part of await readdir(folder))
    if (part.startsWith('c.db')) await cp(join(folder, part), join(target, part))
  return target
}

async function modes(): Promise<readonly string[]> {
  const entries = []
  for (const name of (await readdir(folder)).toSorted())
    entries.push(`${name} ${((await stat(join(folder, name))).mode & 0o777).toString(8)}`)
  return entries
}

test('only the owner can open the files, including files that existed and were open to others', async () => {
  const store = await write(0, 1)
  const all = ['c.db 600', 'c.db-shm 600', 'c.db-wal 600']
  expect(await modes()).toEqual(all)
  for (const name of await readdir(folder)) await chmod(join(folder, name), 0o666)
  const second = await openStore(`sqlite:${file}`)
  expect(await modes()).toEqual(all)
  await store.close()
  await second.close()
  expect(await modes()).toEqual(['c.db 600'])
})

test('a link to a store opens the store, with its log', async () => {
  const store = await write(0, 2)
  await symlink(file, join(folder, 'link.db'))
  const linked = await openStore(`sqlite:${join(folder, 'link.db')}`)
  expect((await linked.read('c')).events).toHaveLength(2)
  await store.close()
  await linked.close()
})

test('every error of the driver becomes a StoreError', async () => {
  await (await write(0, 1)).close()
  const database = new DatabaseSync(file)
  database.exec('ALTER TABLE events RENAME COLUMN bytes TO other')
  database.close()
  await expect(openStore(`sqlite:${file}`)).rejects.toMatchObject({
    name: 'StoreError',
    code: 'cannot-open',
    message: expect.stringContaining(file),
  })
  await expect(openStore(`sqlite:${folder}`)).rejects.toMatchObject({ code: 'cannot-open' })
  await expect(openStore('sqlite:a\0b')).rejects.toMatchObject({ code: 'cannot-open' })
})

test('refuses a log that lost an append, and does not change its files', async () => {
  const store = await write(0, 5)
  const copy = await copyTo('copy')
  await store.close()
  const log = await readFile(join(copy, 'c.db-wal'))
  log.writeUInt8(log.readUInt8(log.length - 1) ^ 1, log.length - 1)
  await writeFile(join(copy, 'c.db-wal'), log)
  await expect(openStore(`sqlite:${join(copy, 'c.db')}`)).rejects.toMatchObject({
    code: 'damaged',
    message: expect.stringMatching(/of \d+ pages in .*c\.db-wal only the first \d+ can be read/),
  })
  expect(await readFile(join(copy, 'c.db-wal'))).toEqual(log)
  // Even without the index, everything before the last append shows that more was written.
  await rm(join(copy, 'c.db-shm'))
  log.writeUInt8(log.readUInt8(60) ^ 1, 60)
  await writeFile(join(copy, 'c.db-wal'), log)
  await expect(openStore(`sqlite:${join(copy, 'c.db')}`)).rejects.toMatchObject({ code: 'damaged' })
})

test('an append that the end of its process cut off is not damage', async () => {
  const store = await write(0, 5)
  const [log, index] = [await readFile(`${file}-wal`), await readFile(`${file}-shm`)]
  await store.append('c', 5, [{ type: 'turn_start', turn: 5 }])
  const longer = await readFile(`${file}-wal`)
  const copy = await copyTo('copy')
  await store.close()
  for (let length = log.length; length < longer.length; length += 997) {
    const torn = join(folder, `torn-${length}`)
    await cp(copy, torn, { recursive: true })
    await writeFile(join(torn, 'c.db-wal'), longer.subarray(0, length))
    await writeFile(join(torn, 'c.db-shm'), index)
    const reopened = await openStore(`sqlite:${join(torn, 'c.db')}`)
    expect((await reopened.read('c')).events).toHaveLength(5)
    await reopened.close()
  }
})

const note = { collection: 'note', id: 'n', version: 0, state: 'open', value: 'lamps' }

/** Reads, then tries to write, in a process with its own file system. */
const reader = `
  import { openStore } from ${JSON.stringify(new URL('../../open-store.ts', import.meta.url).href)}
  const store = await openStore('sqlite:' + process.argv[2])
  const { events } = await store.read('c')
  const { conversations: list } = await store.list()
  const code = await store.append('c', events.length, [{ type: 'turn_start', turn: 9 }]).catch((error) => error.code)
  const { documents } = store
  const { value } = await documents.read('note', 'n')
  const refused = [documents.write(${JSON.stringify({ ...note, version: 1 })}), documents.remove('note', 'n', 1)]
  const codes = (await Promise.allSettled(refused)).map(({ reason }) => reason?.code)
  console.log(JSON.stringify([events.length, list.length, await store.verify('c'), code, value, ...codes]))
  await store.close()
`
const NAMESPACES = 'unshare'
const READ_ONLY = [
  '-rm',
  'sh',
  '-c',
  'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$2" "$3" "$4"',
  'sh',
]

function canMount(): boolean {
  try {
    execFileSync(NAMESPACES, ['-rm', 'mount', '-t', 'tmpfs', 'none', tmpdir()], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

// Only a process with its own namespaces can create a file system that is read-only for every user.
test.skipIf(!canMount())(
  'opens an existing store on a read-only file system for reading, with and without a log',
  async () => {
    const script = join(folder, 'reader.mjs')
    await writeFile(script, reader)
    const mounted = join(folder, 'mounted')
    async function readMounted(): Promise<unknown> {
      const args = [...READ_ONLY, mounted, process.execPath, script, join(mounted, 'c.db')]
      return JSON.parse((await promisify(execFile)(NAMESPACES, args)).stdout)
    }
    const read = [3, 1, [], 'read-only', 'lamps', 'read-only', 'read-only']
    const store = await write(0, 3)
    await store.documents.write(note)
    await copyTo('mounted')
    await store.close()
    expect(await readMounted()).toEqual(read)
    await rm(mounted, { recursive: true })
    await copyTo('mounted')
    expect(await readMounted()).toEqual(read)
  },
)

test.skipIf(process.platform === 'win32').for(['c.db', 'c.db-wal', 'c.db-shm', 'c.db-journal'])(
  'a pipe or a folder in the place of a file is refused, and nobody waits for its writer: %s',
  async (name) => {
    await (await write(0, 1)).close()
    const path = join(folder, name)
    await rm(path, { force: true })
    execFileSync('mkfifo', [path])
    const opening = async (): Promise<ConversationStore> => await openStore(`sqlite:${file}`)
    await expect(opening()).rejects.toThrow(/expected a regular file, got a device or a pipe/)
    await rm(path)
    await mkdir(path)
    await expect(opening()).rejects.toMatchObject({
      code: 'cannot-open',
      message: expect.stringContaining('expected a regular file, got a folder'),
    })
  },
)

/** Writes and removes the files beside a store, as processes that open and close it. */
const COMING_AND_GOING = `
const { rmSync, writeFileSync } = require('node:fs')
for (;;) for (const end of ['-wal', '-shm']) {
  writeFileSync(process.argv[1] + end, Buffer.alloc(64))
  rmSync(process.argv[1] + end)
}
`

test('a log that another process removes at this moment is no damage, and does not keep a store closed', async () => {
  const other = spawn(process.execPath, ['-e', COMING_AND_GOING, file], { stdio: 'ignore' })
  try {
    await once(other, 'spawn')
    // Its log is seen, and missing when it is read, some times in this number.
    for (let time = 0; time < 100_000; time += 1) checkLog(file)
  } finally {
    const ended = once(other, 'exit')
    other.kill('SIGKILL')
    await ended
  }
})
