import { createHash } from 'node:crypto'
import { cp, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import type { ConversationStore } from '../../store/conversation-store.ts'
import type { StoredDocument } from '../../store/documents.ts'
import type { ConversationEvent } from '../../events/conversation-event.ts'
import { openStore } from '../../open-store.ts'
import { StoreError } from '../../problems/store-error.ts'

/** The SQLite file in which bytes are flipped: the database of a closed store, or one of the files that a process left when it died. */
export type FlippedFile = 'closed db' | 'db' | 'wal' | 'wal without shm' | 'shm'

/** What a reader got after a flip: all that was written, an error, or something else. */
export type FlipEffect = 'right' | 'reported' | 'wrong' | 'missing' | 'wrong list' | 'other error'

type History = ReadonlyMap<string, readonly string[]>

/** A store that was written once, in two states: closed, and as a process leaves it when it dies. */
export interface WrittenStore {
  folder: string
  history: History
  documents: readonly StoredDocument[]
}

/** Writes conversations of small and large events, with free places that a deleted conversation left. */
export async function writeStore(folder: string): Promise<WrittenStore> {
  const store = await openStore(`sqlite:${join(folder, 'live/c.db')}`)
  const seqs = new Map<string, number>()
  for (let round = 0; round < 12; round++) {
    // A part of the data is in the database, and the log starts again over its older content.
    if (round === 8) checkpoint(join(folder, 'live/c.db'))
    for (const id of ['a', 'b', 'gone', 'größe 4', 'c']) {
      if (id === 'gone' && round > 6) await store.delete('gone')
      else seqs.set(id, (await store.append(id, seqs.get(id) ?? 0, someEvents(id, round))).seq)
      const counter = { collection: 'counter', id, state: `round-${round}` }
      await store.documents.write({ ...counter, version: round, value: getHashes(id, round) })
    }
  }
  const history = new Map<string, readonly string[]>()
  for (const { id } of (await store.list()).conversations)
    history.set(id, await readForward(store, id))
  const { documents } = await store.documents.list('counter')
  await cp(join(folder, 'live'), join(folder, 'crashed'), { recursive: true })
  await store.close()
  return { folder, history, documents }
}

function checkpoint(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA wal_checkpoint(PASSIVE)')
  database.close()
}

function someEvents(id: string, round: number): ConversationEvent[] {
  // The long events become blobs, which compression does not make smaller.
  const text = round % 5 === 0 ? getHashes(`${id} ${round}`, 300) : `${id} ${round} `.repeat(20)
  return [
    { type: 'turn_start', turn: round },
    { type: 'user_message', content: [{ type: 'text', text }] },
    { type: 'tool_call', call: { id: `${id}-${round}`, name: 'read', arguments: { round } } },
  ]
}

function getHashes(seed: string, count: number): string {
  return Array.from({ length: count }, (_, index) =>
    createHash('sha256').update(`${seed} ${index}`).digest('base64url'),
  ).join('')
}

/** Flips 1 to 16 bytes in a copy of a store, reads all of it in every direction, and compares. */
export async function effectOfFlip(
  written: WrittenStore,
  flipped: FlippedFile,
  random: () => number,
): Promise<FlipEffect> {
  const { folder } = written
  const copy = join(folder, 'copy')
  await rm(copy, { recursive: true, force: true })
  await mkdir(copy)
  const from = join(folder, flipped === 'closed db' ? 'live' : 'crashed')
  for (const name of await readdir(from))
    if (!(flipped === 'wal without shm' && name.endsWith('-shm')))
      await cp(join(from, name), join(copy, name))
  const file = join(copy, 'c.db')
  await flipBytes(`${file}${SUFFIXES[flipped]}`, random)
  return await compare(file, written)
}

const SUFFIXES: Readonly<Record<FlippedFile, string>> = {
  'closed db': '',
  db: '',
  wal: '-wal',
  'wal without shm': '-wal',
  shm: '-shm',
}

async function flipBytes(path: string, random: () => number): Promise<void> {
  const count = 1 + Math.floor(random() * 16)
  // Only the first bytes of the index describe the log; the rest is created again at every start.
  const size = path.endsWith('-shm') ? 136 : (await stat(path)).size
  const position = Math.floor(random() * (size - count))
  const file = await open(path, 'r+')
  const bytes = new Uint8Array(count)
  await file.read(bytes, 0, count, position)
  await file.write(
    bytes.map((byte) => byte ^ (1 + Math.floor(random() * 255))),
    0,
    count,
    position,
  )
  await file.close()
}

async function compare(file: string, { history, documents }: WrittenStore): Promise<FlipEffect> {
  let effect: FlipEffect = 'right'
  let store: ConversationStore | undefined
  try {
    store = await openStore(`sqlite:${file}`)
  } catch (error) {
    return toEffect(error)
  }
  for (const [id, written] of history)
    for (const read of [readForward, readBackward]) {
      try {
        const events = await read(store, id)
        if (events.some((event, index) => event !== written[index])) return 'wrong'
        if (events.length < written.length) return 'missing'
      } catch (error) {
        effect = toEffect(error)
        if (effect === 'other error') return effect
      }
    }
  try {
    const { conversations } = await store.list()
    const listed = conversations.map(({ id, events }) => `${id} ${events}`).toSorted()
    const written = [...history].map(([id, { length }]) => `${id} ${length}`).toSorted()
    if (listed.join('\n') !== written.join('\n')) return 'wrong list'
    const list = await store.documents.list('counter')
    for (const document of list.documents) {
      const last = documents.find(({ id }) => id === document.id)
      // A lost document is not detected, because any may be removed.
      if (last && document.version < last.version) return 'missing'
      if (!isDeepStrictEqual(document, last)) return 'wrong'
    }
  } catch (error) {
    effect = toEffect(error)
  }
  await store.close()
  return effect
}

const toEffect = (error: unknown): FlipEffect =>
  error instanceof StoreError ? 'reported' : 'other error'

async function readForward(store: ConversationStore, id: string): Promise<string[]> {
  const events: string[] = []
  for (let more = true; more;) {
    const page = await store.read(id, { after: events.length, limit: 7 })
    events.push(...page.events.map((event) => JSON.stringify(event)))
    if (page.damaged.length > 0) throw new StoreError('damaged', 'an unreadable event')
    more = page.more
  }
  return events
}

async function readBackward(store: ConversationStore, id: string): Promise<string[]> {
  const events: string[] = []
  let before = Infinity
  for (let more = true; more;) {
    const page = await store.read(id, { before, limit: 7 })
    events.unshift(...page.events.map((event) => JSON.stringify(event)))
    if (page.damaged.length > 0) throw new StoreError('damaged', 'an unreadable event')
    before = page.events[0]?.seq ?? 0
    more = page.more
  }
  return events
}

/** Returns a generator of numbers from 0 to 1 that are the same at every run: mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
