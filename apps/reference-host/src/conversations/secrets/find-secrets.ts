import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FoundRange, SecretRequest } from './secret-rules.ts'

/** A text of a conversation, and where it stands. */
export interface PlacedText {
  place: SecretPlace
  text: string
}

/** Where a text stands. */
export interface SecretPlace {
  conversation: string
  seq: number
  /** JSON Pointer into the event, or what is kept beside it: `original`, `raw`. */
  field: string
}

/** A value that rules say is a secret. */
export interface ProbableSecret {
  value: string
  /** The rule that found it first, for example `github`. */
  rule: string
  places: readonly SecretPlace[]
}

/** What was found, and what nobody looked through because time was up. */
export interface SecretSearch {
  secrets: readonly ProbableSecret[]
  /** Texts that were not looked through, or not to their end. */
  missed: readonly SecretPlace[]
}

/** How long rules may take. */
export interface SearchBounds {
  /** Milliseconds for one part of up to 256 Ki characters. Default: 10 s. */
  partMs?: number
  /** Milliseconds for all of it. Default: 60 s. */
  totalMs?: number
  /** The file of the worker. Default: the one with the rules. */
  worker?: URL
}

/** Characters that are looked through at once. */
const PART = 256 * 1024
/** Characters that parts of a longer text have in common: the longest key is shorter. */
const OVERLAP = 16 * 1024
const BETWEEN = '\n\n'

interface Piece {
  place: SecretPlace
  text: string
}

/** Looks for secrets by well-kept rules, in a worker, for a bounded time. Rejects once the signal aborts. */
export async function findSecrets(
  texts: AsyncIterable<PlacedText>,
  signal: AbortSignal,
  { partMs = 10_000, totalMs = 60_000, worker: file = workerFile() }: SearchBounds = {},
): Promise<SecretSearch> {
  const until = Date.now() + totalMs
  const secrets = new Map<string, { rule: string; places: Map<string, SecretPlace> }>()
  const missed = new Map<string, SecretPlace>()
  let worker: Worker | undefined
  const look = async (pieces: readonly Piece[]): Promise<void> => {
    signal.throwIfAborted()
    const left = Math.min(partMs, until - Date.now())
    worker ??= left > 0 ? new Worker(file) : undefined
    const text = pieces.map((piece) => piece.text).join(BETWEEN)
    const found = worker && left > 0 ? await ask(worker, { text }, left, signal) : undefined
    if (!found) {
      for (const { place } of pieces) missed.set(keyOf(place), place)
      await worker?.terminate()
      worker = undefined
      return
    }
    for (const { start, end, rule } of found) {
      const value = text.slice(start, end).trim()
      const place = placeAt(pieces, start)
      if (value === '' || !place) continue
      const known = secrets.get(value) ?? { rule, places: new Map<string, SecretPlace>() }
      known.places.set(keyOf(place), place)
      secrets.set(value, known)
    }
  }
  try {
    let part: Piece[] = []
    let length = 0
    for await (const { place, text } of texts) {
      for (let from = 0; from < text.length; from += PART - OVERLAP) {
        const piece = { place, text: text.slice(from, from + PART) }
        if (length + piece.text.length > PART && part.length > 0) {
          await look(part)
          part = []
          length = 0
        }
        part.push(piece)
        length += piece.text.length + BETWEEN.length
        if (from + PART >= text.length) break
      }
    }
    if (part.length > 0) await look(part)
  } finally {
    await worker?.terminate()
  }
  return {
    secrets: [...secrets].map(([value, { rule, places }]) => ({
      value,
      rule,
      places: [...places.values()],
    })),
    missed: [...missed.values()],
  }
}

/** Beside this file, as a source or as a file of the built command. */
function workerFile(): URL {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`./secret-rules.${ending}`, import.meta.url)
}

/** What the rules say; `undefined` where they take too long. */
async function ask(
  worker: Worker,
  request: SecretRequest,
  ms: number,
  signal: AbortSignal,
): Promise<readonly FoundRange[] | undefined> {
  const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(ms)))
  try {
    const answer = once(worker, 'message', { signal: AbortSignal.any([signal, timeout]) })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
    worker.postMessage(request)
    const [found]: unknown[] = await answer
    return areRanges(found) ? found : undefined
  } catch (error) {
    signal.throwIfAborted()
    if (timeout.aborted) return undefined
    throw error
  }
}

function areRanges(value: unknown): value is readonly FoundRange[] {
  return Array.isArray(value)
}

function placeAt(pieces: readonly Piece[], index: number): SecretPlace | undefined {
  let end = 0
  for (const { place, text } of pieces) {
    end += text.length + BETWEEN.length
    if (index < end) return place
  }
  return undefined
}

function keyOf({ conversation, seq, field }: SecretPlace): string {
  return JSON.stringify([conversation, seq, field])
}
