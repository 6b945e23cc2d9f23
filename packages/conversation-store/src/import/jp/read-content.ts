import { isUtf8 } from 'node:buffer'
import { type ContentBlock, field, isJsonObject, type JsonObject } from '@toolblocks/protocol'
import { readBlock, readBlocks } from '../blocks/read-block.ts'
import type { Source } from '../sources/source.ts'

/** `_meta` key of a block whose content was stored apart and is not there: its SHA-256. */
const META_MISSING_BLOB = 'toolblocks/missing-blob'

/**
 * Reads content in place or stored apart: `{"$blob": "<sha256>", "size": n}`, `{"text": …}` or `{"blob": …}` within a block. Hashes of
 * what is not where it should be are added to `missing`.
 */
export function readContent(
  content: unknown,
  { source, missing }: { source: Pick<Source, 'blob'>; missing: string[] },
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

function openBlock(block: unknown, blob: Source['blob']): OpenedBlock {
  if (!isJsonObject(block)) return { block }
  const type = field(block, 'type')
  const resource = field(block, 'resource')
  if (type === 'text' && Object.hasOwn(block, 'content')) {
    const { fields, missing } = openContent(block, blob)
    return withMissing({ text: '', ...fields }, missing)
  }
  if (type !== 'resource' || !isJsonObject(resource)) return { block }
  const { fields, missing } = openContent(resource, blob)
  // `formatted` once stood within the resource.
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
  blob: Source['blob'],
): { fields: JsonObject; missing?: string } {
  const { content, ...fields } = holder
  if (!isJsonObject(content)) return { fields: holder }
  const sha256 = field(content, '$blob')
  if (typeof sha256 !== 'string') return { fields: { ...fields, ...content } }
  const bytes = blob(sha256)
  if (!bytes) return { fields, missing: sha256 }
  const buffer = Buffer.from(bytes)
  const read = isUtf8(buffer)
    ? { text: buffer.toString('utf8') }
    : { blob: buffer.toString('base64') }
  return { fields: { ...fields, ...read } }
}
