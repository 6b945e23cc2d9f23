import { appendPointer, splitPointer } from '@toolblocks/protocol/internal'
import { isJsonObject } from '@toolblocks/protocol'
import { type Blob, getBlob } from './blob.ts'
import type { ConversationEvent, UnknownEvent } from './conversation-event.ts'

/** A string of an event that is stored apart: its place, and how its bytes are decoded. */
export interface Payload {
  /** JSON Pointer into the event, where an empty string replaces the original one. */
  path: string
  /** SHA-256 of the bytes, 64 hexadecimal digits. */
  sha256: string
  as: 'text' | 'base64'
}

/** Removes strings of more than `limit` characters from a value that `JSON.parse` created. Changes the value in place. */
export function takePayloads(
  value: unknown,
  limit: number,
): { payloads: readonly Payload[]; blobs: readonly Blob[] } {
  const payloads: Payload[] = []
  const blobs: Blob[] = []
  const open: { holder: object; path: string }[] = []
  if (isHolder(value)) open.push({ holder: value, path: '' })
  for (let next = open.pop(); next; next = open.pop()) {
    for (const [key, member] of Object.entries(next.holder)) {
      const path = appendPointer(next.path, key)
      if (isHolder(member)) open.push({ holder: member, path })
      if (typeof member !== 'string' || member.length <= limit || !member.isWellFormed()) continue
      const { as, bytes } = toBytes(member)
      const blob = getBlob(bytes)
      payloads.push({ path, sha256: blob.sha256, as })
      blobs.push(blob)
      setOwn(next.holder, key, '')
    }
  }
  return { payloads, blobs }
}

/** Restores the strings. Changes `value` in place. Returns the first payload whose bytes or whose place is missing. */
export function putPayloads(
  value: unknown,
  payloads: readonly Payload[],
  getBytes: (sha256: string) => Uint8Array | undefined,
): Payload | undefined {
  return payloads.find(({ path, sha256, as }) => {
    const bytes = getBytes(sha256)
    const steps = splitPointer(path)
    const key = steps.at(-1)
    const holder = steps.slice(0, -1).reduce<unknown>(getMember, value)
    if (!bytes || key === undefined || !isHolder(holder) || !Object.hasOwn(holder, key)) return true
    setOwn(holder, key, Buffer.from(bytes).toString(as === 'text' ? 'utf8' : 'base64'))
    return false
  })
}

/** Whether a value is a list of payloads. */
export function arePayloads(value: unknown): value is readonly Payload[] {
  return (
    Array.isArray(value) &&
    value.every(
      (payload) =>
        isJsonObject(payload) &&
        typeof payload['path'] === 'string' &&
        typeof payload['sha256'] === 'string' &&
        (payload['as'] === 'text' || payload['as'] === 'base64'),
    )
  )
}

/** Returns the bytes of a base64 string if encoding them again returns the same string, else its UTF-8. Base64 is a third longer than its bytes. */
function toBytes(text: string): { as: Payload['as']; bytes: Uint8Array } {
  if (text.length % 4 === 0 && /^[A-Za-z0-9+/]/.test(text)) {
    const bytes = Buffer.from(text, 'base64')
    if (bytes.toString('base64') === text) return { as: 'base64', bytes }
  }
  return { as: 'text', bytes: Buffer.from(text, 'utf8') }
}

function getMember(holder: unknown, key: string): unknown {
  return isHolder(holder) && Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** An assignment to `__proto__` would change the object instead of its member. */
function setOwn(holder: object, key: string, value: string): void {
  Object.defineProperty(holder, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

/** Returns the hashes of a tool's raw output, which was stored when it arrived. */
export function getRaw(event: ConversationEvent | UnknownEvent): readonly string[] {
  const raw = event.type === 'tool_result' ? event.result.metadata?.raw : undefined
  return raw ? [raw.sha256] : []
}
