import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openStore } from '../open-store.ts'
import {
  checkHistory,
  findReturnedSecrets,
  type HistoryCall,
  type HistoryOperation,
} from './check-history.support.ts'

/** A call of a client with its result. A read lists the secrets that each event contains. */
export type RecordedCall =
  | Exclude<HistoryCall, { kind: 'read' }>
  | (Extract<HistoryCall, { kind: 'read' }> & { secrets: readonly (readonly string[])[] })
  | { kind: 'scrub'; secret: string }
  /** Whether a follower received every event once and in order. */
  | { kind: 'follow'; isWhole: boolean }
  | { kind: 'error'; message: string }

type Recorded = RecordedCall & { conversation: string; start: number; end: number }

/** Totals of the histories that concurrent clients recorded. */
export interface HistoryCounts {
  /** Number of conversations. */
  histories: number
  calls: number
  /** Histories that no order of their calls explains. */
  impossible: number
  /** Histories with too many possible orders. */
  undecided: number
  /** Events from which a removed secret was read. */
  returned: number
  /** Followers that did not receive every event once and in order. */
  unfollowed: number
  /** Calls that failed, and conversations that `verify` reports. */
  failed: number
  problem?: string
}

const CLIENT = fileURLToPath(new URL('client.support.ts', import.meta.url))

/** How many clients call a store, and how often. */
export interface ClientLoad {
  processes: number
  rounds: number
  /** Calls of each process in each round, in each of two loops that run at the same time. */
  steps: number
  seed: number
}

/** Lets processes call a store at the same time, and checks the results of each conversation. */
export async function runClients(
  url: string,
  { processes, rounds, steps, seed }: ClientLoad,
): Promise<HistoryCounts> {
  const recorded: Recorded[] = []
  const clients = Array.from({ length: processes }, (_, index) => {
    const args = [CLIENT, url, `p${index}`, String(seed + index), String(steps)]
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    return { child, lines }
  })
  /** Reads the calls of a client until the end of its round. */
  async function readRound({ lines }: (typeof clients)[number]): Promise<void> {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error('a client ended before its round')
      if (value === 'ready' || value === 'round') return
      recorded.push(JSON.parse(value))
    }
  }
  await Promise.all(clients.map(readRound))
  for (let round = 0; round < rounds; round++) {
    for (const { child } of clients) child.stdin.write(`${seed}-${round}\n`)
    await Promise.all(clients.map(readRound))
  }
  for (const client of clients) {
    const ended = once(client.child, 'close')
    client.child.stdin.end()
    await readRound(client)
    await ended
  }
  return await check(url, recorded)
}

async function check(url: string, recorded: readonly Recorded[]): Promise<HistoryCounts> {
  const counts: HistoryCounts = {
    histories: 0,
    calls: 0,
    impossible: 0,
    undecided: 0,
    returned: 0,
    unfollowed: 0,
    failed: 0,
  }
  const store = await openStore(url)
  for (const [conversation, calls] of Map.groupBy(recorded, (call) => call.conversation)) {
    counts.histories += 1
    counts.calls += calls.length
    for (const call of calls) {
      if (call.kind === 'follow' && !call.isWhole) counts.unfollowed += 1
      if (call.kind !== 'error') continue
      counts.failed += 1
      counts.problem ??= call.message
    }
    const problems = await store.verify(conversation)
    if (problems.length > 0) counts.failed += 1
    if (problems[0]) counts.problem ??= problems[0].message
    const verdict = checkHistory(calls.filter(isHistoryOperation))
    if (verdict !== 'serializable') {
      counts[verdict] += 1
      counts.problem ??= `${conversation}: ${verdict}`
    }
    counts.returned += countReturned(calls)
  }
  await store.close()
  return counts
}

function isHistoryOperation(call: Recorded): call is Extract<Recorded, HistoryOperation> {
  return call.kind !== 'scrub' && call.kind !== 'error' && call.kind !== 'follow'
}

/** Counts the events of a conversation from which a removed secret was read. */
function countReturned(calls: readonly Recorded[]): number {
  const scrubs = calls.filter((call) => call.kind === 'scrub')
  const reads = calls.filter((call) => call.kind === 'read')
  let returned = 0
  for (const secret of new Set(scrubs.map((scrub) => scrub.secret)))
    for (const appended of calls) {
      if (appended.kind !== 'append') continue
      for (const event of appended.events) {
        const eventReads = reads.flatMap(({ events, secrets, start, end }) => {
          const index = events.indexOf(event)
          return index === -1
            ? []
            : [{ start, end, hasSecret: secrets[index]?.includes(secret) === true }]
        })
        const own = scrubs.filter((scrub) => scrub.secret === secret)
        if (findReturnedSecrets({ appended, scrubs: own, reads: eventReads }).length > 0)
          returned += 1
      }
    }
  return returned
}
