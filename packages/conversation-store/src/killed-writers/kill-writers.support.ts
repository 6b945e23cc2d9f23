import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { openStore } from '../open-store.ts'
import { readTurns } from './read-turns.support.ts'

/** The program that appends events until it is killed, or until it has appended the requested number. */
export const WRITER = fileURLToPath(new URL('writer.support.ts', import.meta.url))

/** Totals of the conversations that killed writers have left. */
export interface LeftBehind {
  kills: number
  acknowledged: number
  /** Number of conversations that lack an acknowledged event. */
  lost: number
  /** Number of conversations with an incomplete event, one in the wrong place, or a broken chain. */
  half: number
  /** Number of conversations with more than one event that was not acknowledged. */
  unacknowledged: number
}

/** How writers are killed. */
export interface Kills {
  kills: number
  /** The folder of Node's compile cache, with which a writer starts in half the time. */
  cache: string
  /** The maximum number of acknowledged events before a writer is killed. The actual number is random. */
  mostEvents: number
}

/** Kills writers, each at a random moment after its first event. Opens the store again and reads what they have left. */
export async function killWriters(
  url: string,
  { kills, cache, mostEvents }: Kills,
): Promise<LeftBehind> {
  // The first writer ends by itself, because only then does Node save its compile cache.
  const [warmed] = await once(startWriter([url, 'compiled', '1'], cache), 'close')
  if (warmed !== 0) throw new Error(`the writer ended with ${warmed}`)
  const left: LeftBehind = { kills, acknowledged: 0, lost: 0, half: 0, unacknowledged: 0 }
  for (let kill = 0; kill < kills; kill++) {
    const conversation = `kill-${kill}`
    const events = 1 + Math.floor(Math.random() * mostEvents)
    const acknowledged = await killOne([url, conversation], { cache, events })
    left.acknowledged += acknowledged
    const store = await openStore(url)
    const turns = await readTurns(store, conversation)
    const isWhole = (await store.verify(conversation)).length === 0
    if (turns.length < acknowledged) left.lost += 1
    if (turns.length > acknowledged + 1) left.unacknowledged += 1
    if (!isWhole || turns.some((turn, index) => turn !== index)) left.half += 1
    await store.close()
  }
  return left
}

/** Kills a writer; returns how many of its events were acknowledged before. */
async function killOne(
  args: readonly string[],
  { cache, events }: { cache: string; events: number },
): Promise<number> {
  const child = startWriter([...args, '1000000'], cache)
  let acknowledged = 0
  child.stdout.setEncoding('latin1').on('data', (text: string) => {
    // The kill cut off a line without a line end.
    acknowledged += text.split('\n').length - 1
    if (acknowledged >= events) child.kill('SIGKILL')
  })
  await once(child, 'close')
  return acknowledged
}

function startWriter(
  args: readonly string[],
  cache: string,
): ChildProcessByStdio<null, Readable, null> {
  return spawn(process.execPath, [WRITER, ...args, '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
  })
}
