import { readFile } from './read-file.ts'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runMeasured } from '../measured-run.support.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolblocks-hostile-'))
  writeFileSync(join(folder, 'toolblocks.toml'), '[store]\nurl = "sqlite:kept.db"\n')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const record = (more: object = {}): string =>
  JSON.stringify({
    timestamp: '2026-03-05 22:12:35.5',
    type: 'chat_request',
    content: 'hi',
    ...more,
  })

function writeDatabase(name: string, data: string, fill = ''): string {
  const file = join(folder, name)
  const database = new DatabaseSync(file)
  database.exec(`CREATE TABLE threads (id TEXT PRIMARY KEY); INSERT INTO threads VALUES ('t');
    CREATE TABLE events (id TEXT, thread_id TEXT, type TEXT, timestamp TEXT, ${data});
    INSERT INTO events (id, thread_id, type, timestamp) VALUES ('e', 't', 'USER_MESSAGE', '2026-01-01'); ${fill}`)
  database.close()
  return file
}

test('pipes, devices and databases that compute are reported, and the good files beside them are imported', async () => {
  execFileSync('mkfifo', [join(folder, 'pipe.json')])
  symlinkSync('/dev/zero', join(folder, 'zero.jsonl'))
  symlinkSync(folder, join(folder, 'round.json'))
  writeDatabase('computes.db', 'data TEXT AS (hex(zeroblob(1000)))')
  writeDatabase('good.db', 'data TEXT', `UPDATE events SET data = 'hello'`)
  writeFileSync(join(folder, 'events.json'), `[${record()}]`)
  const { code, stdout, stderr, peak } = await runMeasured(folder, ['import', '.'])
  expect(stdout).toContain('2 conversations: 2 imported')
  expect(stderr).toMatch(/pipe\.json: expected a regular file, got a device or a pipe/)
  expect(stderr).toMatch(/zero\.jsonl: it is a link that leads out of the folder; it was skipped/)
  expect(stderr).toMatch(/round\.json: expected a regular file, got a folder/)
  expect(stderr).toMatch(
    /computes\.db: could not be read: the table "events" computes the column "data"/,
  )
  expect(code).toBe(1)
  expect(peak).toBeLessThan(300)
})

const MB = 1_000_000

test.for<[string, string]>([
  ['nested without a ground', `[${record()},\n{"a":${'['.repeat(30 * MB)}`],
  ['of values of nothing', `[${record()},\n{"a":[${'{},'.repeat(10 * MB)}0]}]`],
  ['of records of nothing', `${record()}\n${'{}\n'.repeat(10 * MB)}`],
  ['of lines of nothing', `${record()}\n${'x\n'.repeat(15 * MB)}`],
])('30 MB of JSON %s take a few times that in memory, and this is reported', async ([, text]) => {
  writeFileSync(join(folder, 'events.json'), text)
  const { stderr, peak } = await runMeasured(folder, [
    'import',
    'events.json',
    '--from',
    'jp',
    '--dry-run',
  ])
  expect(stderr).toMatch(
    /warning: .*(?:exceed the number of values|its bytes are kept|not a complete record)/,
  )
  expect(peak).toBeLessThan(700)
})

test('a database that takes too long is reported as not readable', async () => {
  const many = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
    INSERT INTO events (id, thread_id, type, timestamp, data) SELECT i, 't', 'USER_MESSAGE', '2026-01-01', 'hello' FROM n;`
  const file = writeDatabase('many.db', 'data TEXT', many)
  const { signal } = new AbortController()
  await expect(readFile(file, { what: 'counts', signal, ms: 1 })).rejects.toThrow(
    'could not be read: it took more than 0.001 s',
  )
})

// Only Linux shows the command lines of other processes, in files.
test.runIf(process.platform === 'linux')(
  'a database that ends its reader process is reported as not readable',
  async () => {
    const file = writeDatabase('good.db', 'data TEXT')
    const { signal } = new AbortController()
    const reading = readFile(file, { what: 'events', signal })
    reading.catch(() => undefined)
    const reader = await vi.waitUntil(findReader, { timeout: 5000, interval: 5 })
    process.kill(reader, 'SIGKILL')
    await expect(reading).rejects.toThrow(
      'could not be read: its reader process ended with SIGKILL',
    )
  },
)

test('Ctrl-C ends the reading of a database', async () => {
  const file = writeDatabase('good.db', 'data TEXT')
  const enough = new AbortController()
  const reading = readFile(file, { what: 'counts', signal: enough.signal })
  enough.abort()
  await expect(reading).rejects.toThrow('aborted')
})

/** Finds the process that this one has started to read a database. */
function findReader(): number | undefined {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => {
      try {
        const isOwn = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]
        const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        return (
          isOwn === String(process.pid) &&
          commandLine.includes('read-database') &&
          commandLine.includes(folder)
        )
      } catch {
        return false
      }
    })
}
