import {
  type ConversationEvent,
  type ConversationStore,
  readEntries,
  type StoredEntry,
} from '@toolblocks/conversation-store'
import { appendPointer } from '@toolblocks/protocol/internal'
import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FoundValue } from './find-ranges.ts'
import type { SecretRequest } from './secret-rules.ts'

/** A text of a conversation and its place. */
export interface PlacedText {
  location: FoundSecret
  text: string
}

/** The place of a text: in an event of a conversation, or in a question that waits or has waited. */
export type FoundSecret = {
  conversation: string
  /** A JSON Pointer into the event or the question, or the part stored beside an event: `original`, `raw`. */
  field: string
} & ({ seq: number } | { question: string })

/** A value that a rule reports as a secret. */
export interface ProbableSecret {
  value: string
  /** The first rule that found it, for example `github`. */
  rule: string
  places: readonly FoundSecret[]
}

/** The secrets that were found, and the texts that were not searched because the time was over. */
export interface SecretSearch {
  secrets: readonly ProbableSecret[]
  /** The texts that were not searched to their end. */
  missed: readonly FoundSecret[]
}

/** The limits of a search. */
export interface SearchBounds {
  /** Milliseconds for one part of up to 256 Ki characters. Default: 10 s. */
  partMs?: number
  /** Milliseconds for the complete search. Default: 60 s. */
  totalMs?: number
  /** The file of the worker. Default: the one with the rules. */
  worker?: URL
}

/** The number of characters that are searched at once. */
const PART = 256 * 1024

/** The number of characters that neighbouring parts share. The longest key is shorter. */
const OVERLAP = 64 * 1024

const BETWEEN = '\n\n'

interface SearchedPiece {
  location: FoundSecret
  text: string
}

/** Searches texts for secrets with the rules of secretlint, in a worker and within a time limit. Rejects when the signal aborts. */
export async function findSecrets(
  texts: AsyncIterable<PlacedText>,
  signal: AbortSignal,
  { partMs = 10_000, totalMs = 60_000, worker: file = workerFile() }: SearchBounds = {},
): Promise<SecretSearch> {
  const until = performance.now() + totalMs
  const secrets = new Map<string, { rule: string; places: Map<string, FoundSecret> }>()
  const missed = new Map<string, FoundSecret>()
  let worker: Worker | undefined
  const look = async (pieces: readonly SearchedPiece[]): Promise<void> => {
    signal.throwIfAborted()
    worker ??= await startWorker(file, until - performance.now(), signal)
    const left = Math.min(partMs, until - performance.now())
    const text = pieces.map((piece) => piece.text).join(BETWEEN)
    const ranges = worker && left > 0 ? await ask(worker, { text }, left, signal) : undefined
    if (!ranges) {
      for (const { location } of pieces) missed.set(getKey(location), location)
      await worker?.terminate()
      worker = undefined
      return
    }
    for (const { start, rule, value } of ranges) {
      const location = findPlace(pieces, start)
      if (value === '' || !location) continue
      const known = secrets.get(value) ?? { rule, places: new Map<string, FoundSecret>() }
      known.places.set(getKey(location), location)
      secrets.set(value, known)
    }
  }
  try {
    let part: SearchedPiece[] = []
    let length = 0
    for await (const { location, text } of texts) {
      for (let from = 0; from < text.length; from += PART - OVERLAP) {
        const piece = { location, text: text.slice(from, from + PART) }
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
    secrets: orderSecrets(
      [...secrets].map(([value, { rule, places }]) => ({
        value,
        rule,
        places: [...places.values()],
      })),
    ),
    missed: [...missed.values()],
  }
}

/** Puts a value that is a part of another one after it: if it were removed first, the rest of the other one would not be recognised. */
function orderSecrets(secrets: readonly ProbableSecret[]): readonly ProbableSecret[] {
  const all = secrets.map(({ value }) => value).join('\0')
  const isPart = ({ value }: ProbableSecret): boolean =>
    all.indexOf(value) !== all.lastIndexOf(value)
  const parts = secrets.filter(isPart)
  if (parts.length === 0) return secrets
  const isOther = new Set(parts)
  return [
    ...secrets.filter((secret) => !isOther.has(secret)),
    ...parts.toSorted((one, other) => other.value.length - one.value.length),
  ]
}

/** Returns the file of the worker beside this file, in the sources or in the built command. */
function workerFile(): URL {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`./secret-rules.${ending}`, import.meta.url)
}

/** Starts a worker, which does not count for the time of a part. Returns `undefined` if it has not started in time. */
async function startWorker(
  file: URL,
  ms: number,
  signal: AbortSignal,
): Promise<Worker | undefined> {
  if (ms <= 0) return undefined
  const worker = new Worker(file)
  const timeout = AbortSignal.timeout(Math.ceil(ms))
  try {
    await once(worker, 'online', { signal: AbortSignal.any([signal, timeout]) })
    return worker
  } catch (error) {
    await worker.terminate()
    signal.throwIfAborted()
    if (timeout.aborted) return undefined
    throw error
  }
}

/** Returns the secrets in a text, or `undefined` if the rules take too long. */
async function ask(
  worker: Worker,
  request: SecretRequest,
  ms: number,
  signal: AbortSignal,
): Promise<readonly FoundValue[] | undefined> {
  const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(ms)))
  try {
    const answer = once(worker, 'message', { signal: AbortSignal.any([signal, timeout]) })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
    worker.postMessage(request)
    const [ranges]: unknown[] = await answer
    return areRanges(ranges) ? ranges : undefined
  } catch (error) {
    signal.throwIfAborted()
    if (timeout.aborted) return undefined
    throw error
  }
}

function areRanges(value: unknown): value is readonly FoundValue[] {
  return Array.isArray(value)
}

function findPlace(pieces: readonly SearchedPiece[], index: number): FoundSecret | undefined {
  let end = 0
  for (const { location, text } of pieces) {
    end += text.length + BETWEEN.length
    if (index < end) return location
  }
  return undefined
}

function getKey(location: FoundSecret): string {
  const { conversation, field } = location
  return JSON.stringify([conversation, 'seq' in location ? location.seq : location.question, field])
}

/** The part of a conversation to search. */
interface TextsRequest {
  id: string
  signal: AbortSignal
  /** Whether to search also the bytes that tools printed. An export does not contain them. */
  raw: 'with-raw' | 'without-raw'
}

/** Names of fields whose values may be secrets. The rules see the name with the value. */
const SECRET_FIELD_NAME = /auth|credential|key|pass|secret|token/i

const MAX_VALUE_LENGTH = 4096

const MIN_DATA_LENGTH = 1024

/** Reads all texts of a conversation, page by page: the strings of its events, the records from which they were imported, and what tools printed. */
export async function* readConversationTexts(
  store: ConversationStore,
  { id, signal, raw }: TextsRequest,
): AsyncGenerator<PlacedText> {
  for await (const kept of readEntries(store, id, { signal })) {
    yield* readEntryTexts(id, kept)
    if (raw === 'without-raw' || !('event' in kept) || kept.event.type !== 'tool_result') continue
    const sha256 = kept.event.result.metadata?.raw?.sha256
    const bytes = sha256 === undefined ? undefined : await store.readBytes(sha256)
    if (bytes) yield* readBytesTexts({ conversation: id, seq: kept.seq, field: 'raw' }, bytes)
  }
}

/** Reads all texts of events that are not stored yet. The `seq` of their places counts from 1. */
// oxlint-disable-next-line typescript/require-await -- a search reads its texts one after the other
export async function* readEventTexts(
  events: readonly ConversationEvent[],
): AsyncGenerator<PlacedText> {
  for (const [index, event] of events.entries())
    yield* readValueTexts({ conversation: '', seq: index + 1, field: '' }, event)
}

/** Number of questions that are read at once. */
const PAGE = 100

/**
 * Reads all texts of the pending questions of a conversation, or of all: arguments, material, answers. `damaged` receives the ids of those that cannot be
 * read.
 */
export async function* readQuestionTexts(
  { documents }: Pick<ConversationStore, 'documents'>,
  {
    conversation,
    signal,
    damaged,
  }: { conversation: string | undefined; signal: AbortSignal; damaged: (id: string) => void },
): AsyncGenerator<PlacedText> {
  let cursor: string | undefined
  do {
    signal.throwIfAborted()
    const page = await documents.list('question', {
      limit: PAGE,
      ...(conversation !== undefined && { conversation }),
      ...(cursor !== undefined && { cursor }),
    })
    for (const { id } of page.damaged) damaged(id)
    for (const { id, value, conversation: owner = '' } of page.documents)
      yield* readValueTexts({ conversation: owner, question: id, field: '' }, value)
    cursor = page.next
  } while (cursor !== undefined)
}

function* readEntryTexts(conversation: string, kept: StoredEntry): Generator<PlacedText> {
  const location = { conversation, seq: kept.seq }
  if ('event' in kept) {
    yield* readValueTexts({ ...location, field: '' }, kept.event)
    if (kept.original) yield* readBytesTexts({ ...location, field: 'original' }, kept.original)
  } else if ('bytes' in kept) yield* readBytesTexts({ ...location, field: 'bytes' }, kept.bytes)
}

function* readBytesTexts(
  location: PlacedText['location'],
  bytes: Uint8Array,
): Generator<PlacedText> {
  const text = Buffer.from(bytes).toString()
  yield* readValueTexts(location, readJson(text) ?? text)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function* readValueTexts(location: PlacedText['location'], whole: unknown): Generator<PlacedText> {
  const open: { value: unknown; field: string; key: string }[] = [
    { value: whole, field: location.field, key: '' },
  ]
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, field, key } = next
    const isNamed = SECRET_FIELD_NAME.test(key)
    if (typeof value === 'string') {
      const line = value.trimEnd()
      const isTold = isNamed && line.length <= MAX_VALUE_LENGTH && !line.includes('\n')
      if (!isTold && isData(value)) continue
      yield {
        location: { ...location, field },
        text: isTold ? `${key}=${JSON.stringify(line)}` : value,
      }
    } else if (typeof value === 'number' && isNamed) {
      yield { location: { ...location, field }, text: `${key}=${JSON.stringify(String(value))}` }
    } else if (typeof value === 'object' && value !== null) {
      const members = Object.entries(value).map(([name, member]: [string, unknown]) => ({
        value: member,
        field: appendPointer(field, name),
        key: name,
      }))
      open.push(...members.toReversed())
      const text = Array.isArray(value) ? joinArguments(value) : Object.keys(value).join('\n')
      if (text !== '') yield { location: { ...location, field }, text }
    }
  }
}

/** Joins the arguments of a command, because an option names the argument after it. */
function joinArguments(values: readonly unknown[]): string {
  const isLine = values.every((each) => typeof each === 'string' && each.length <= MAX_VALUE_LENGTH)
  return isLine && values.some((each) => String(each).startsWith('-')) ? values.join(' ') : ''
}

/** Whether a text is base64 data of a picture or file, in which rules would find words by chance. */
function isData(text: string): boolean {
  return text.length >= MIN_DATA_LENGTH && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
}
