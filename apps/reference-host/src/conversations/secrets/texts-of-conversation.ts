import { Buffer } from 'node:buffer'
import type { ConversationStore } from '@toolblocks/conversation-store'
import { appendPointer } from '@toolblocks/protocol'
import { type Kept, readAll } from '@toolblocks/viewer/reading'
import type { PlacedText } from './find-secrets.ts'

/** What of a conversation is looked through. */
export interface TextsRequest {
  id: string
  signal: AbortSignal
  /** Whether also the bytes that tools printed, which no export has. */
  raw: 'with-raw' | 'without-raw'
}

/** Names of fields that tell rules what stands in them. */
const TELLING = /auth|credential|key|pass|secret|token/i
const LONGEST_VALUE = 4096
const SHORTEST_DATA = 1024

/** All texts of a conversation, page by page: strings of its events, the records that they were made from, and what tools printed. */
export async function* textsOfConversation(
  store: ConversationStore,
  { id, signal, raw }: TextsRequest,
): AsyncGenerator<PlacedText> {
  for await (const kept of readAll(store, id, signal)) {
    yield* textsOfKept(id, kept)
    if (raw === 'without-raw' || !('event' in kept) || kept.event.type !== 'tool_result') continue
    const sha256 = kept.event.result.metadata?.raw?.sha256
    const bytes = sha256 === undefined ? undefined : await store.readBytes(sha256)
    if (bytes) yield* textsOfBytes({ conversation: id, seq: kept.seq, field: 'raw' }, bytes)
  }
}

function* textsOfKept(conversation: string, kept: Kept): Generator<PlacedText> {
  const place = { conversation, seq: kept.seq }
  if ('event' in kept) {
    yield* textsOfValue({ ...place, field: '' }, kept.event)
    if (kept.original) yield* textsOfBytes({ ...place, field: 'original' }, kept.original)
  } else if ('bytes' in kept) yield* textsOfBytes({ ...place, field: 'bytes' }, kept.bytes)
}

function* textsOfBytes(place: PlacedText['place'], bytes: Uint8Array): Generator<PlacedText> {
  const text = Buffer.from(bytes).toString()
  yield* textsOfValue(place, readJson(text) ?? text)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function* textsOfValue(place: PlacedText['place'], whole: unknown): Generator<PlacedText> {
  const open: { value: unknown; field: string; key: string }[] = [
    { value: whole, field: place.field, key: '' },
  ]
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, field, key } = next
    if (typeof value === 'string') {
      if (isData(value)) continue
      const isTold = TELLING.test(key) && value.length <= LONGEST_VALUE && !value.includes('\n')
      yield { place: { ...place, field }, text: isTold ? `${key}="${value}"` : value }
    } else if (typeof value === 'object' && value !== null) {
      const members = Object.entries(value).map(([name, member]: [string, unknown]) => ({
        value: member,
        field: appendPointer(field, name),
        key: name,
      }))
      open.push(...members.toReversed())
      const names = Array.isArray(value) ? '' : Object.keys(value).join('\n')
      if (names !== '') yield { place: { ...place, field }, text: names }
    }
  }
}

/** Pictures and files in base64: rules find words in them that nobody wrote. */
function isData(text: string): boolean {
  return text.length >= SHORTEST_DATA && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
}
