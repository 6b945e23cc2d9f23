import { type ConversationStore, openStore, readHistory } from '@toolblocks/conversation-store'
import { answerPendingQuestion, listPendingQuestions } from '@toolblocks/inquiry/pending'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { HostJob } from './host.support.ts'

const HOST = fileURLToPath(new URL('host.support.ts', import.meta.url))

/** How many hosts share a store, and what happens to them. */
export interface HostLoad {
  hosts: number
  /** Turns of each host. */
  turns: number
  conversations: number
  /** Maximum number of kills. The actual number is smaller if the hosts are done before. */
  kills: number
  /** Milliseconds between two disturbances, on average. */
  everyMs: number
  /** A folder for files. */
  folder: string
  /** Cuts all connections to the store. Absent: they are not cut. */
  cut?: () => Promise<void>
}

/** What happened, counted from the events and from the calls that tools carried out. */
export interface HostCounts {
  kills: number
  /** Hosts that were stopped for longer than a lease, and then continued. */
  pauses: number
  cuts: number
  /** Questions and approvals that were answered while hosts ran. */
  answered: number
  /** Calls that may have been executed when their host ended. */
  interrupted: number
  turns: number
  /** Turns that are in the events more than once. */
  twice: number
  /** Turns that their hosts have ended, and that are not complete in the events. */
  lost: number
  /** Calls that were carried out more than once. */
  repeated: number
  /** Calls without exactly one result, and calls with a successful result that were not carried out. */
  wrong: number
  /** Questions that stayed open, and problems that `verify` reports. */
  left: number
}

/** Lets hosts run turns in the same conversations, disturbs them, answers their questions, and counts what is in the store. */
export async function runHosts(url: string, load: HostLoad): Promise<HostCounts> {
  const store = await openStore(url)
  const effects = join(load.folder, 'effects')
  const counts = { kills: 0, pauses: 0, cuts: 0, answered: 0 }
  const over = new AbortController()
  const hosts = Array.from({ length: load.hosts }, (_, index) =>
    keepHost({
      url,
      name: `host-${index}`,
      turns: load.turns,
      conversations: load.conversations,
      effects,
      whenUnanswered: index % 2 === 0 ? 'wait' : 'park',
      seesProcesses: index % 3 !== 0,
    }),
  )
  const others = [answerAll(store, counts, over.signal), disturb(hosts, load, counts, over.signal)]
  try {
    await Promise.all(hosts.map(async ({ ended }) => await ended))
  } finally {
    over.abort()
    for (const host of hosts) host.end()
    await Promise.all(others)
  }
  const eventCounts = await countEvents(store, { ...load, effects })
  await store.close()
  return { ...counts, ...eventCounts }
}

/** A host that is started again after each kill, until all its turns have ended. */
interface KeptHost {
  /** Rejects if the host fails by itself. */
  ended: Promise<void>
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void
  /** Kills the host for good. */
  end(): void
}

function keepHost(job: HostJob): KeptHost {
  let child: ChildProcess | undefined
  let isOver = false
  async function run(): Promise<void> {
    for (;;) {
      child = spawn(process.execPath, [HOST, JSON.stringify(job)], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      const [code, signal] = await once(child, 'close')
      if (code === 0) return
      if (isOver) return
      if (signal !== 'SIGKILL') throw new Error(`${job.name} ended with ${code ?? signal}`)
      // The server may still carry out the last statement of the killed host.
      await pause(200)
    }
  }
  return {
    ended: run(),
    signal: (name) => child?.kill(name),
    end: () => {
      isOver = true
      child?.kill('SIGKILL')
    },
  }
}

type Counters = Pick<HostCounts, 'kills' | 'pauses' | 'cuts' | 'answered'>

/** Milliseconds that a host is stopped, longer than a lease. */
const PAUSE_MS = 2500

/** Kills and stops random hosts, and cuts connections. */
async function disturb(
  hosts: readonly KeptHost[],
  { kills, everyMs, cut }: HostLoad,
  counts: Counters,
  signal: AbortSignal,
): Promise<void> {
  for (let count = 0; counts.kills < kills; count += 1) {
    await pause(Math.random() * 2 * everyMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    const host = hosts[Math.floor(Math.random() * hosts.length)]
    if (count % 8 === 3) {
      counts.pauses += 1
      host?.signal('SIGSTOP')
      void pause(PAUSE_MS).then(() => host?.signal('SIGCONT'))
    } else if (cut && count % 8 === 7) {
      counts.cuts += 1
      await cut()
    } else {
      counts.kills += 1
      host?.signal('SIGKILL')
    }
  }
}

/** Answers open questions with yes, from another process than their hosts. */
async function answerAll(
  { documents }: ConversationStore,
  counts: Counters,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const listed = await listPendingQuestions({ state: 'open' }, { storage: documents }).catch(
      () => undefined,
    )
    for (const question of listed?.questions ?? []) {
      const personAnswer = { answer: { action: 'accept', value: true }, by: 'page' } as const
      const answered = await answerPendingQuestion(question, personAnswer, {
        storage: documents,
      }).catch(() => undefined)
      if (answered?.ok) counts.answered += 1
    }
    await pause(20)
  }
}

/** Reads all conversations, and compares them with what hosts and tools did. */
async function countEvents(
  store: ConversationStore,
  { hosts, turns, effects }: HostLoad & { effects: string },
): Promise<Omit<HostCounts, keyof Counters>> {
  const carriedOut = countEach((await readFile(effects, 'utf8')).trimEnd().split('\n'))
  const messages: string[] = []
  const completed = new Set<string>()
  let interrupted = 0
  let wrong = 0
  let left = 0
  for (const { id } of (await store.list({ limit: Infinity })).conversations) {
    left += (await store.verify(id)).length
    const { entries } = readHistory((await store.read(id, { limit: Infinity })).events)
    const message = new Map<number, string>()
    const results = countEach(
      entries.flatMap(({ event, synthetic }) =>
        event.type === 'tool_result' && !synthetic ? [event.result.id ?? ''] : [],
      ),
    )
    for (const { event, turn } of entries) {
      const [block] = event.type === 'user_message' ? event.content : []
      if (block?.type === 'text') message.set(turn, block.text)
      if (event.type === 'assistant_message') completed.add(message.get(turn) ?? '')
      if (event.type === 'tool_call' && results.get(event.call.id) !== 1) wrong += 1
      if (event.type !== 'tool_result') continue
      const { id: call = '', isError } = event.result
      if (isError) interrupted += 1
      else if (!carriedOut.has(call)) wrong += 1
    }
    messages.push(...message.values())
  }
  const { questions } = await listPendingQuestions({ state: 'open' }, { storage: store.documents })
  return {
    interrupted,
    turns: completed.size,
    twice: countRepeated(countEach(messages)),
    lost: hosts * turns - completed.size,
    repeated: countRepeated(carriedOut),
    wrong,
    left: left + questions.length,
  }
}

function countEach(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

function countRepeated(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].filter((times) => times > 1).length
}
