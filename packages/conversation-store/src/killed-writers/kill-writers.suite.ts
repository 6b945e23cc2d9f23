import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { openStore } from '../open-store.ts'
import { readTurns } from './read-turns.suite.ts'

/** The program that appends events until it is killed, or has appended as many as it was told. */
export const WRITER = fileURLToPath(new URL('writer.suite.ts', import.meta.url))

/** What killed writers have left, all of them together. */
export interface LeftBehind {
  kills: number
  acknowledged: number
  /** Conversations that lack what was acknowledged. */
  lost: number
  /** Conversations with half an event, one out of place, or a broken chain. */
  half: number
  /** Conversations with more than the one event that was on its way. */
  untold: number
}

/** How writers are killed. */
export interface Kills {
  kills: number
  /** A folder for what Node has compiled, so that a writer starts in half the time. */
  cache: string
  /** The most events a writer gets acknowledged before it is killed; how many, chance decides. */
  mostEvents: number
}

/** Kills writers, each at a random moment after its first event, and reads what they have left in a store that is opened anew. */
export async function killWriters(
  url: string,
  { kills, cache, mostEvents }: Kills,
): Promise<LeftBehind> {
  // One that ends by itself first: only then does Node keep what it has compiled.
  const [warmed] = await once(startWriter([url, 'compiled', '1'], cache), 'close')
  if (warmed !== 0) throw new Error(`the writer ended with ${warmed}`)
  const left: LeftBehind = { kills, acknowledged: 0, lost: 0, half: 0, untold: 0 }
  for (let kill = 0; kill < kills; kill++) {
    const conversation = `kill-${kill}`
    const events = 1 + Math.floor(Math.random() * mostEvents)
    const acknowledged = await killOne([url, conversation], { cache, events })
    left.acknowledged += acknowledged
    const store = await openStore(url)
    const turns = await readTurns(store, conversation)
    const isWhole = (await store.verify(conversation)).length === 0
    if (turns.length < acknowledged) left.lost += 1
    if (turns.length > acknowledged + 1) left.untold += 1
    if (!isWhole || turns.some((turn, index) => turn !== index)) left.half += 1
    await store.close()
  }
  return left
}

/** Answers how many events a writer was acknowledged before it was killed. */
async function killOne(
  args: readonly string[],
  { cache, events }: { cache: string; events: number },
): Promise<number> {
  const child = startWriter([...args, '1000000'], cache)
  let acknowledged = 0
  child.stdout.setEncoding('latin1').on('data', (text: string) => {
    // A line without its end was cut by the kill.
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
