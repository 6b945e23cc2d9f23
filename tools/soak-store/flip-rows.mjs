import { isDeepStrictEqual } from 'node:util'
import { openStore } from '../../packages/conversation-store/src/index.ts'
import { connectWithPg } from '../../packages/conversation-store/src/rows/postgres/postgres-client.ts'

/** The flipped values: bytes, letters of a text, or numbers; and a hash that only rows of earlier versions have. */
const COLUMNS = [
  ['events', 'bytes', 'bytes'],
  ['events', 'original', 'bytes'],
  ['events', 'sha256', 'hash'],
  ['events', 'chain', 'bytes'],
  ['events', 'at', 'text'],
  ['events', 'seq', 'number'],
  ['conversations', 'chain', 'bytes'],
  ['conversations', 'seal', 'bytes'],
  ['conversations', 'updated_at', 'text'],
  ['conversations', 'seq', 'number'],
  ['blobs', 'bytes', 'bytes'],
  ['blobs', 'size', 'number'],
  ['blobs', 'encoding', 'text'],
  ['documents', 'bytes', 'bytes'],
  ['documents', 'sha256', 'bytes'],
  ['documents', 'id', 'bytes'],
  ['documents', 'state', 'bytes'],
  ['documents', 'conversation', 'bytes'],
  ['documents', 'at', 'text'],
  ['documents', 'version', 'number'],
]

const FLIP = {
  bytes: (column) =>
    `set_byte(${column}, (random() * 1e9)::int % length(${column}), (random() * 255)::int)`,
  text: (column) =>
    `overlay(${column} placing chr(33 + (random() * 90)::int) from 1 + (random() * 1e9)::int % length(${column}) for 1)`,
  number: (column) => `${column} + 1000`,
  hash: () => 'sha256(random()::text::bytea)',
}

/** Changes a byte, a letter or a number of a row in a database and reads it. Checks that the result is correct or the damage is reported. */
export async function flipRows(url, runs) {
  const store = await openStore(url)
  await store.append('c', 0, makeEvents())
  for (let index = 0; index < 10; index++) {
    const note = { collection: 'note', id: `n${index}`, state: 'open', conversation: 'c' }
    await store.documents.write({ ...note, version: 0, value: text(index) })
  }
  const right = await readAll(store)
  const counts = { right: 0, said: 0, wrong: 0 }
  const client = await connectWithPg(url)
  for (let run = 0; run < runs; run++) {
    const [table, column, kind] = COLUMNS[run % COLUMNS.length]
    const name = `toolblocks_${table}`
    const [{ ctid, old }] = await client.query(
      `SELECT ctid, ${column} AS old FROM ${name} WHERE ${kind === 'hash'} OR ${column} IS NOT NULL ORDER BY random() LIMIT 1`,
    )
    const changed = await client
      .query(
        `UPDATE ${name} SET ${column} = ${FLIP[kind](column)} WHERE ctid = $1 RETURNING ctid`,
        [ctid],
      )
      .catch(() => undefined)
    counts[await effect(store, right)] += 1
    if (changed)
      await client.query(`UPDATE ${name} SET ${column} = $1 WHERE ctid = $2`, [
        old,
        changed[0].ctid,
      ])
  }
  await client.close()
  const isWhole = isDeepStrictEqual(await readAll(store), right)
  await store.close()
  return { counts, bad: counts.wrong + (isWhole ? 0 : 1) }
}

/** Every third text is large enough to be stored separately. */
const text = (index) => `${index} `.repeat(index % 3 === 0 ? 6000 : 20)

function makeEvents() {
  return Array.from({ length: 30 }, (_, index) => ({
    event: { type: 'user_message', content: [{ type: 'text', text: text(index) }] },
    at: '2026-01-01T00:00:00.000Z',
    original: Buffer.from(`record ${index}`),
  }))
}

async function readAll(store) {
  const { events, damaged } = await store.read('c', { limit: Infinity })
  const list = await store.documents.list('note')
  if (damaged.length + list.damaged.length > 0)
    throw Object.assign(new Error('damaged'), { code: 'damaged' })
  return { events, documents: list.documents }
}

async function effect(store, right) {
  try {
    return isDeepStrictEqual(await readAll(store), right) ? 'right' : 'wrong'
  } catch (error) {
    if (error.code === 'damaged') return 'said'
    throw error
  }
}
