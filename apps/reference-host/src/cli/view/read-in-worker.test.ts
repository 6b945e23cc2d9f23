import type { ConversationStore } from '@toolblocks/conversation-store'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readInWorker } from './read-in-worker.ts'
import { readPath } from './read-path.ts'

const NEVER = new AbortController().signal

/** Writes a session with long and short texts, and returns its path. */
function writeSession(turns: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-view-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'session.jsonl')
  const lines = Array.from({ length: turns }, (_, turn) => [
    line(`u${turn}`, 'user', `Turn ${turn}, lamp${turn}`),
    line(`a${turn}`, 'assistant', [
      { type: 'tool_use', id: `c${turn}`, name: 'Read', input: { path: `f${turn}` } },
    ]),
    line(`r${turn}`, 'user', [
      { type: 'tool_result', tool_use_id: `c${turn}`, content: `→ ${turn} `.repeat(900) },
    ]),
  ])
  writeFileSync(path, lines.flat().join(''))
  return path
}

function line(uuid: string, type: string, content: unknown): string {
  const timestamp = '2026-05-06T07:00:00Z'
  const record = {
    parentUuid: null,
    sessionId: 's',
    uuid,
    timestamp,
    type,
    message: { role: type, content },
  }
  return `${JSON.stringify(record)}\n`
}

async function readAll(store: ConversationStore): Promise<unknown> {
  const { conversations } = await store.list()
  const pages = conversations.map(async ({ id }) => await store.read(id, { limit: Infinity }))
  return [conversations, await Promise.all(pages), await store.search({ text: 'lamp7' })]
}

test('what a worker reads is what this thread reads, with the share that is done on the way', async () => {
  const path = writeSession(40)
  appendFileSync(path, '{"type":"user","uuid":"half')
  const here = await readPath(path, { signal: NEVER })
  const shares: number[] = []
  const there = await readInWorker({
    path,
    bytes: 1,
    signal: NEVER,
    onProgress: (share) => shares.push(share),
  })
  expect(there.warnings).toEqual(here.warnings)
  expect(there.warnings).toEqual([expect.stringContaining('are not a complete record')])
  expect(await readAll(there.store)).toEqual(await readAll(here.store))
  expect(shares.length).toBeGreaterThan(3)
  expect(shares).toEqual(shares.toSorted((one, other) => one - other))
  const id = 'claude-code-s'
  expect(await there.readStatistics?.(id)).toMatchObject({
    rewinds: 0,
    turns: expect.arrayContaining([{ seq: 1, opening: 'Turn 0, lamp0', calls: 1 }]),
  })
  await expect(there.store.append(id, 0, [])).rejects.toThrow('only read')
  await there.store.close()
  await expect(there.store.list()).rejects.toThrow('was ended')
})

test('a worker that replaces one with too little memory reports no progress: all was read before', async () => {
  const path = writeSession(1)
  appendFileSync(path, line('long', 'user', `${'lamp '.repeat(6_000_000)}needle`))
  const shares: number[] = []
  const { store } = await readInWorker({
    path,
    bytes: 30_000_000,
    signal: NEVER,
    onProgress: (share) => shares.push(share),
  })
  const whole = shares.length
  for (const text of ['lamp0', 'needle', 'lamp0'])
    expect(await store.search({ text })).toBeInstanceOf(Array)
  expect(shares.length).toBe(whole)
  await store.close()
})

test('an abort ends the worker while it reads', async () => {
  const path = writeSession(2000)
  const leaving = new AbortController()
  const reading = readInWorker({
    path,
    bytes: 1,
    signal: leaving.signal,
    onProgress: () => leaving.abort(),
  })
  await expect(reading).rejects.toThrow('aborted')
})

test('a format that does not fit is said, and a file without conversations too', async () => {
  const path = writeSession(1)
  const { warnings } = await readInWorker({
    path,
    from: 'codex',
    bytes: 1,
    signal: NEVER,
    onProgress: () => {},
  })
  expect(warnings[0]).toBe(
    `${path}: it was read as codex, but its content is claude-code; try it without --from`,
  )
  writeFileSync(path, 'nothing\n')
  const nothing = await readPath(path, { signal: NEVER })
  expect(nothing.warnings).toEqual([expect.stringContaining(path)])
})
