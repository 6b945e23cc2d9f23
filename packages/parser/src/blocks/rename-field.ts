import { isJsonObject, type JsonObject } from '@toolblocks/protocol'
import { type Reading, warn } from '../reading.ts'

/** A field under another name than MCP's. */
interface Rename {
  from: string
  to: string
  /** JSON Pointer of the object in its block or document. */
  at?: string
}

/** Gives a field MCP's name where it came under another one; where both are there, nothing is done. */
export function renameField(
  object: JsonObject,
  { from, to, at = '' }: Rename,
  reading: Reading,
): JsonObject {
  if (!Object.hasOwn(object, from) || Object.hasOwn(object, to)) return object
  const { [from]: value, ...rest } = object
  warn(reading, {
    code: 'renamed-field',
    at: `${at}/${from}`,
    message: `"${from}" was read as "${to}".`,
    expected: `"${to}"`,
    got: `"${from}"`,
  })
  return { ...rest, [to]: value }
}

/** `mime_type` of a block or of its resource, as languages with underscores in names write it. */
export function renameMimeType(block: JsonObject, reading: Reading): JsonObject {
  const renamed = renameField(block, { from: 'mime_type', to: 'mimeType' }, reading)
  const { resource } = renamed
  if (renamed['type'] !== 'resource' || !isJsonObject(resource)) return renamed
  const inner = { from: 'mime_type', to: 'mimeType', at: '/resource' }
  const read = renameField(resource, inner, reading)
  return read === resource ? renamed : { ...renamed, resource: read }
}
