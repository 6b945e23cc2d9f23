// Measures documents of 2 KB on each engine: the list of 1,000 open questions among 100,000 answered ones, a write, and the time until a waiter is woken:
// node tools/measure-store/documents.mjs [closed] [open]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../packages/conversation-store/src/index.ts'
import { listPendingQuestions } from '../../packages/inquiry/src/pending.ts'
import {
  findPostgres,
  startPostgres,
} from '../../packages/conversation-store/src/rows/postgres/postgres-server.support.ts'

const [closed = 100_000, open = 1000] = process.argv.slice(2).map(Number)
const ROUNDS = 31

/** A pending question of 2 KB. */
const createQuestion = (id, state) => ({
  id,
  state,
  kind: 'question',
  call: { id: `call ${id}`, name: 'delete', arguments: { path: 'notes.txt' } },
  conversation: 'c',
  turn: 1,
  request: { id: 'sure', text: 'Really delete it?', schema: { type: 'boolean' } },
  blocks: [{ type: 'text', text: `About ${id}. `.repeat(200).slice(0, 1500) }],
  isLocal: false,
  isRepeatable: true,
  definition: 'a'.repeat(64),
  host: 'host',
  askedAt: '2026-01-01T00:00:00.000Z',
})

function summarize(times) {
  const sorted = times.toSorted((one, other) => one - other)
  const [median, slowest] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
  return `median ${median.toFixed(2)} ms, slowest ${slowest.toFixed(2)} ms`
}

async function measure(what, work) {
  const times = []
  for (let round = 0; round < ROUNDS; round++) {
    const begin = performance.now()
    await work(round)
    times.push(performance.now() - begin)
  }
  console.log(`  ${what}: ${summarize(times)}`)
}

/** Writes the answered questions, and between them the open ones. */
async function fill({ documents }) {
  let index = 0
  const writers = Array.from({ length: 8 }, async () => {
    for (let next = index++; next < closed + open; next = index++) {
      const state = next % Math.ceil((closed + open) / open) === 0 ? 'open' : 'answered'
      const conversation = `c${next % 500}`
      const question = { collection: 'question', id: `q${next}`, version: 0, state, conversation }
      await documents.write({ ...question, value: createQuestion(`q${next}`, state) })
    }
  })
  await Promise.all(writers)
}

async function measureStore(name, store, other = store) {
  console.log(name)
  const { documents } = store
  await fill(store)
  const { length } = (await documents.list('question', { state: 'open', limit: Infinity }))
    .documents
  await measure(`list ${length} open documents`, () =>
    documents.list('question', { state: 'open', limit: Infinity }),
  )
  await measure(`list ${length} open questions`, () =>
    listPendingQuestions({ state: 'open' }, { storage: documents }),
  )
  await measure('list 50 open documents', () => documents.list('question', { state: 'open' }))
  await measure('list 50 documents in any state', () => documents.list('question'))
  await measure('list the open documents of a conversation', () =>
    documents.list('question', { state: 'open', conversation: 'c7' }),
  )
  await measure('read', (round) => documents.read('question', `q${round * 1000}`))
  const lease = { collection: 'lease', id: 'c', state: 'held' }
  await measure('write', (version) => documents.write({ ...lease, version, value: 'host' }))
  const { signal } = new AbortController()
  await measure('write until another store knows it', async (round) => {
    const version = ROUNDS + round
    const waiting = other.documents.changed('lease', 'c', version, signal)
    await documents.write({ ...lease, version, value: 'host' })
    await waiting
  })
  await measure('remove and create', async (round) => {
    await documents.remove('question', `q${round}`, 1)
    await documents.write({
      collection: 'question',
      id: `q${round}`,
      version: 0,
      state: 'answered',
      value: 1,
    })
  })
  if (other !== store) await other.close()
  await store.close()
}

const folder = mkdtempSync(join(tmpdir(), 'toolblocks-documents-'))
const bin = findPostgres()
const server = bin === undefined ? undefined : await startPostgres(bin)
try {
  await measureStore('memory', await openStore('memory:'))
  const file = `sqlite:${join(folder, 'c.db')}`
  const options = { durability: 'normal' }
  await measureStore(
    'SQLite, durability normal',
    await openStore(file, options),
    await openStore(file, options),
  )
  const url = server?.url('postgres')
  if (url)
    await measureStore(
      'PostgreSQL, without waiting for the disk',
      await openStore(url),
      await openStore(url),
    )
} finally {
  server?.stop()
  rmSync(folder, { recursive: true })
}
