// Measures appending a message and reading all messages, compared with LangGraph's SQLite checkpointer: node
// tools/measure-store/against-langgraph.mjs
// The checkpointer is installed into a temporary folder, on node:sqlite instead of better-sqlite3.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openStore } from '../../packages/conversation-store/src/index.ts'

const CHECKPOINTER = '@langchain/langgraph-checkpoint-sqlite'
const TEXT = 'What is in a.rs? '.repeat(30)
const ROUNDS = 15

const folder = mkdtempSync(join(tmpdir(), 'toolblocks-langgraph-'))
try {
  const { SqliteSaver, HumanMessage, uuid6, version } = await install()
  console.log(`${CHECKPOINTER} ${version}: milliseconds, median of ${ROUNDS} alternating rounds`)
  for (const count of [100, 1000, 10_000]) {
    const lang = await openLangGraph(join(folder, `lang-${count}.db`), count)
    const ours = await openOurs(join(folder, `ours-${count}.db`), count)
    const times = { add: { lang: [], ours: [] }, load: { lang: [], ours: [] } }
    for (let round = 0; round < ROUNDS; round++)
      for (const work of ['add', 'load']) {
        times[work].lang.push(await readTime(lang[work]))
        times[work].ours.push(await readTime(ours[work]))
      }
    await ours.close()
    for (const [work, { lang: theirs, ours: own }] of Object.entries(times))
      console.log(
        `${count} messages, ${work === 'add' ? 'one more' : 'all read'}: LangGraph ${median(theirs)}, store ${median(own)}`,
      )
  }

  /** A checkpoint has the complete state, including its messages. */
  async function openLangGraph(file, count) {
    const saver = SqliteSaver.fromConnString(file)
    const messages = Array.from({ length: count }, () => new HumanMessage(TEXT))
    let config = { configurable: { thread_id: 'c', checkpoint_ns: '' } }
    let step = 0
    const add = async () => {
      step += 1
      const checkpoint = {
        v: 4,
        id: uuid6(step),
        ts: new Date().toISOString(),
        channel_values: { messages: [...messages, new HumanMessage(TEXT)] },
        channel_versions: { messages: step },
        versions_seen: {},
      }
      config = await saver.put(config, checkpoint, { source: 'loop', step, parents: {} })
    }
    await add()
    const load = async () => {
      const tuple = await saver.getTuple({ configurable: { thread_id: 'c', checkpoint_ns: '' } })
      if (tuple.checkpoint.channel_values.messages.length !== count + 1)
        throw new Error('messages are missing')
    }
    return { add, load }
  }
} finally {
  rmSync(folder, { recursive: true })
}

async function openOurs(file, count) {
  const event = { type: 'user_message', content: [{ type: 'text', text: TEXT }] }
  const store = await openStore(`sqlite:${file}`)
  let { seq } = await store.append(
    'c',
    0,
    Array.from({ length: count }, () => event),
  )
  const add = async () => {
    seq = (await store.append('c', seq, [event])).seq
  }
  const load = async () => {
    const { events } = await store.read('c', { limit: Infinity })
    if (events.length !== seq) throw new Error('events are missing')
  }
  return { add, load, close: async () => await store.close() }
}

async function install() {
  cpSync(join(import.meta.dirname, 'better-sqlite3'), join(folder, 'better-sqlite3'), {
    recursive: true,
  })
  const manifest = {
    private: true,
    type: 'module',
    dependencies: { [CHECKPOINTER]: '*', '@langchain/langgraph-checkpoint': '*' },
    overrides: { 'better-sqlite3': 'file:./better-sqlite3' },
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
    stdio: 'ignore',
  })
  const from = createRequire(join(folder, 'package.json'))
  const load = async (name) => await import(pathToFileURL(from.resolve(name)).href)
  const manifestOf = join(folder, 'node_modules', CHECKPOINTER, 'package.json')
  return {
    SqliteSaver: (await load(CHECKPOINTER)).SqliteSaver,
    HumanMessage: (await load('@langchain/core/messages')).HumanMessage,
    uuid6: (await load('@langchain/langgraph-checkpoint')).uuid6,
    version: JSON.parse(readFileSync(manifestOf, 'utf8')).version,
  }
}

async function readTime(work) {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

function median(times) {
  return times.toSorted((a, b) => a - b)[times.length >> 1].toFixed(2)
}
