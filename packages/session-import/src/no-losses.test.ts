import { openStore } from '@toolblocks/conversation-store'
import { isUtf8 } from 'node:buffer'
import { existsSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { dirname, join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FIXTURES, makeFile } from './fixtures.support.ts'
import { importConversation, readConversations } from './import-conversation.ts'
import { type ImportSource, openSource } from './sources/source.ts'

// Searches the stored events for every text of a source. The search shares no code with the readers: it parses JSON, opens databases, and splits
// lines of text itself.

/** Fields whose texts give the type, the author and the time of a record. An event has them in its own words. */
const FRAME: ReadonlySet<string> = new Set(
  (
    'type role sender kind status state subtype content_type record_type originator eventSeq ' +
    'timestamp at put_at created_at updated_at startTime lastUpdated start_timestamp stop_timestamp time_created ' +
    'id sessionId sessionID session_id messageID message_id uuid ' +
    'media_type mimeType mime mediaType encrypted_content'
  ).split(' '),
)

/** Returns all texts of a value, except those of such fields. */
function getTexts(value: unknown, key = ''): readonly string[] {
  if (typeof value === 'string') return value === '' || FRAME.has(key) ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((each) => getTexts(each, key))
  return Object.entries(value).flatMap(([name, each]) => getTexts(each, name))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Yields every text of an event, including those of JSON that is inside a text. */
function* heldBy(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    yield value
    const inside = parse(value)
    if (typeof inside === 'object') yield* heldBy(inside)
  } else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) yield* heldBy(each)
}

/** Whether a text is contained: directly, in the data of a URL, in JSON with all of its values contained, or in base64 of contained text. */
function isHeld(text: string, held: string): boolean {
  if (held.includes(text.trim())) return true
  const [, data] = /^data:[^,]*;base64,(.*)$/.exec(text) ?? []
  if (data !== undefined) return held.includes(data)
  const inside = parse(text)
  if (typeof inside === 'object' && inside !== null)
    return getTexts(inside).every((each) => isHeld(each, held))
  const decoded = Buffer.from(text, 'base64').toString()
  return Buffer.from(decoded).toString('base64') === text && held.includes(decoded)
}

/** Decodes bytes that are a text or a compressed text; returns an empty string for other bytes, such as hashes. */
function textOfBytes(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return Buffer.from(bytes).toString()
  try {
    return inflateRawSync(bytes).toString()
  } catch {
    return ''
  }
}

function textsOfDatabase(path: string): readonly string[] {
  const database = new DatabaseSync(path, { readOnly: true })
  const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all()
  const texts = tables.flatMap(({ name }) =>
    database
      .prepare(`SELECT * FROM "${String(name)}"`)
      .all()
      .flatMap((row) =>
        Object.entries(row).flatMap(([column, cell]) => {
          const text = cell instanceof Uint8Array ? textOfBytes(cell) : cell
          const inside = typeof text === 'string' ? parse(text) : undefined
          return typeof inside === 'object' ? getTexts(inside) : getTexts(text, column)
        }),
      ),
  )
  database.close()
  return texts
}

function textsOfFile(path: string): readonly string[] {
  if (path.endsWith('.db')) return textsOfDatabase(path)
  const text = readFileSync(path, 'utf8')
  if (path.endsWith('.json')) return getTexts(JSON.parse(text))
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (path.endsWith('.jsonl')) return lines.flatMap((line) => getTexts(JSON.parse(line)))
  // Only the words of Markdown count, without rules and names of speakers.
  return lines.flatMap((line) =>
    /^(?:---|\*\*(?:User|Cursor)\*\*)$/.test(line) ? [] : line.replace(/^# |^_|_$/g, '').split(' '),
  )
}

/** Returns the files that contain the same conversation. */
function getFiles(path: string): readonly string[] {
  const [before, session] =
    /^(.*\/storage)\/session\/global\/(.*)\.json$/.exec(path)?.slice(1) ?? []
  if (before === undefined || session === undefined) return [path]
  const messages = [1, 2].map((n) => join(before, 'message', session, `msg_${n}.json`))
  const parts = [1, 2].flatMap((message) =>
    Array.from({ length: 9 }, (_, n) =>
      join(before, 'part', `msg_${message}`, `prt_${n + 1}.json`),
    ),
  )
  return [path, ...messages, ...parts].filter((each) => existsSync(each))
}

interface Kept {
  /** The texts of the events, without their originals. */
  held: string
  originals: string
  unknown: number
  records: number
  /** The number of reported problems. */
  problems: number
}

async function keep(source: ImportSource): Promise<Kept> {
  const store = await openStore('memory:')
  const kept: Kept = { held: '', originals: '', unknown: 0, records: 0, problems: 0 }
  for (const read of readConversations(source)) {
    const { conversation, after } = await importConversation(store, read)
    const { events } = await store.read(conversation, { limit: Infinity })
    for (const { event, original } of events) {
      kept.held += `${[...heldBy(event)].join('\n')}\n`
      kept.originals += `${Buffer.from(original ?? []).toString()}\n`
      if (event.type === 'unknown') kept.records += 1
    }
    kept.unknown += after.unknown
    kept.problems += read.problems.length
  }
  await store.close()
  return kept
}

/** Fields without conversation text: settings of the program, and the name of the project. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  // The place of a long text, and its compression.
  'toolblocks-sqlite': [
    'lighthouse',
    'deflate',
    '/content/0/text',
    '828dae74124bcf419bd01661b277bb1650ef0439df8f31465ea5100aac84184e',
  ],
  // The name of a file in an export is kept with it.
  cursor: ['Exported', 'on', 'from', 'Cursor', '(2.4.21)'],
}

test.for(FIXTURES)(
  '$name: every text is in an event, and unknown records are counted',
  async (fixture) => {
    const path = makeFile(fixture)
    const kept = await keep(openSource(path))
    const left = LEFT_OUT[fixture.format] ?? []
    const texts = getFiles(path).flatMap(textsOfFile)
    expect(texts.length).toBeGreaterThan(2)
    // The element in which Cursor encloses the words of a person is not a part of them.
    const withoutQueries = texts.map((text) =>
      text.replace(/^<user_query>\n([^]*)\n<\/user_query>$/, '$1'),
    )
    expect(
      withoutQueries.filter((text) => !left.includes(text) && !isHeld(text, kept.held)),
    ).toEqual([])
    expect(kept.unknown).toBe(kept.records)
  },
)

/** Returns the same source with other bytes. */
function sourceWith(path: string, text: string): ImportSource {
  const bytes = Buffer.from(text)
  const { head: _head, ...rest } = openSource(path)
  return { ...rest, path, head: bytes.subarray(0, 16), bytes }
}

/** Returns all objects in a value except its root. */
function objectsIn(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(objectsIn)
  return Array.isArray(value) ? inner : [value, ...inner]
}

const JSON_FIXTURES = FIXTURES.filter(({ path }) => /\.jsonl?$/.test(path))
const MARK = 'a mark that nobody knows'

test.for(JSON_FIXTURES)(
  '$name: finds the value of an unknown field, wherever the field is',
  async ({ path }) => {
    const text = readFileSync(path, 'utf8')
    const isLines = path.endsWith('.jsonl')
    const read = (): readonly unknown[] =>
      isLines
        ? text
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as unknown)
        : [JSON.parse(text)]
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (offset) => {
        const values = read()
        // A line of a Toolblocks export has no other fields than its event.
        const objects = values.flatMap(objectsIn).filter((each) => !Object.hasOwn(each, 'seq'))
        const chosen = objects[offset % objects.length]
        if (chosen) Reflect.set(chosen, 'x_unknown', MARK)
        const written = isLines
          ? values.map((value) => JSON.stringify(value)).join('\n')
          : JSON.stringify(values[0])
        const { held, originals, problems } = await keep(sourceWith(path, written))
        // A change after which a line cannot be read as a record is reported as a problem.
        expect(held.includes(MARK) || originals.includes(MARK) || problems > 0).toBe(true)
      }),
      { numRuns: 40 },
    )
  },
)

const LINES = JSON_FIXTURES.filter(
  ({ name }) => name.endsWith('.jsonl') && !name.endsWith('training.jsonl'),
)

test.for(LINES)('$name: keeps an unknown record unchanged, and counts it', async ({ path }) => {
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  const before = await keep(openSource(path))
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: lines.length }), async (index) => {
      const record = { type: 'x_unknown', note: MARK, event: { type: 'x_unknown', note: MARK } }
      // Logs of Lace are recognized by their numbers.
      const numbered = { ...record, eventSeq: 99, seq: 99, at: '2026-02-03T04:05:06.000Z' }
      const written = lines.toSpliced(index, 0, JSON.stringify(numbered)).join('\n')
      const { held, unknown, records } = await keep(sourceWith(path, written))
      expect(held).toContain(MARK)
      expect([unknown, records]).toEqual([before.unknown + 1, before.records + 1])
    }),
    { numRuns: 10 },
  )
})

test('the fixtures contain no names of people', () => {
  for (const { path } of FIXTURES)
    expect(readFileSync(path, 'utf8')).not.toMatch(
      /\/(?:Users|home)\/(?!user\/)|sk-[a-zA-Z0-9]{8}|@(?!example)/,
    )
  expect(dirname(FIXTURES[0]?.path ?? '')).toContain('fixtures')
})
