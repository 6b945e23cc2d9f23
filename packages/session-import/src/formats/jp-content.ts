import { isUtf8 } from 'node:buffer'
import { type ContentBlock, type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, appendPointer } from '@toolblocks/protocol/internal'
import { readBlock, readBlocks } from '../convert/decode-tool-result.ts'
import type { ImportSource } from '../sources/source.ts'

/** `_meta` key of a block whose content was stored apart and is missing: the SHA-256 of the content. */
const META_MISSING_BLOB = 'toolblocks/missing-blob'

/**
 * Reads content that is in place or stored apart: `{"$blob": "<sha256>", "size": n}`, `{"text": …}` or `{"blob": …}` within a block. Adds the
 * hashes of missing content to `missing`.
 */
export function readContent(
  content: unknown,
  { source, missing }: { source: Pick<ImportSource, 'blob'>; missing: string[] },
): readonly ContentBlock[] {
  if (!Array.isArray(content)) return readBlocks(content)
  return content.map((block) => {
    const opened = openBlock(block, source.blob)
    if (opened.missing !== undefined) missing.push(opened.missing)
    return readBlock(opened.block)
  })
}

interface OpenedBlock {
  block: unknown
  missing?: string
}

function openBlock(block: unknown, blob: ImportSource['blob']): OpenedBlock {
  if (!isJsonObject(block)) return { block }
  const type = getOwnField(block, 'type')
  const resource = getOwnField(block, 'resource')
  if (type === 'text' && Object.hasOwn(block, 'content')) {
    const { fields, missing } = openContent(block, blob)
    return withMissing({ text: '', ...fields }, missing)
  }
  if (type !== 'resource' || !isJsonObject(resource)) return { block }
  const { fields, missing } = openContent(resource, blob)
  // Earlier versions had `formatted` inside the resource.
  const { formatted, ...rest } = fields
  const inner =
    Object.hasOwn(rest, 'text') || Object.hasOwn(rest, 'blob') ? rest : { ...rest, text: '' }
  const outer = { ...block, resource: inner, ...(typeof formatted === 'string' && { formatted }) }
  return withMissing(outer, missing)
}

function withMissing(block: JsonObject, missing: string | undefined): OpenedBlock {
  if (missing === undefined) return { block }
  return { block: { ...block, _meta: { [META_MISSING_BLOB]: missing } }, missing }
}

function openContent(
  holder: JsonObject,
  blob: ImportSource['blob'],
): { fields: JsonObject; missing?: string } {
  const { content, ...fields } = holder
  if (!isJsonObject(content)) return { fields: holder }
  const sha256 = getOwnField(content, '$blob')
  if (typeof sha256 !== 'string') return { fields: { ...fields, ...content } }
  const bytes = blob(sha256)
  if (!bytes) return { fields, missing: sha256 }
  const buffer = Buffer.from(bytes)
  const read = isUtf8(buffer)
    ? { text: buffer.toString('utf8') }
    : { blob: buffer.toString('base64') }
  return { fields: { ...fields, ...read } }
}

/** Strings that were base64, and strings that should be base64 but are not: JSON Pointers. */
export interface DecodedStrings {
  decoded: string[]
  undecoded: string[]
}

/** Maximum number of recorded places. There is one for each string of a record, and each repeats the keys above it. */
const MAX_PLACES = 10_000
const MAX_PLACE_LENGTH = 4096

/** Decodes a string that is base64 (standard alphabet, padded, canonical) of a text; returns `undefined` for any other string. */
function decodeBase64(text: string): string | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text && isUtf8(bytes) ? bytes.toString('utf8') : undefined
}

/** Decodes every string that is base64 in a value that `JSON.parse` created. Changes arrays and objects in place. */
export function decodeStrings(value: unknown, path: string, into: DecodedStrings): unknown {
  if (typeof value === 'string') return decodeAt(value, path, into)
  const open = isHolder(value) ? [{ holder: value, path }] : []
  for (let next = open.pop(); next; next = open.pop()) {
    for (const [key, member] of Object.entries(next.holder)) {
      const pointer = appendPointer(next.path, key)
      if (isHolder(member)) open.push({ holder: member, path: pointer })
      else if (typeof member === 'string')
        // An assignment to `__proto__` would change the object itself.
        Object.defineProperty(next.holder, key, { value: decodeAt(member, pointer, into) })
    }
  }
  return value
}

function decodeAt(text: string, path: string, { decoded, undecoded }: DecodedStrings): string {
  const plain = decodeBase64(text)
  const places = plain === undefined ? undecoded : decoded
  if (places.length < MAX_PLACES && path.length < MAX_PLACE_LENGTH) places.push(path)
  return plain ?? text
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
