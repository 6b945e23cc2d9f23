import {
  type ContentBlock,
  type JsonObject,
  type ToolResult,
  isJsonObject,
} from '@toolblocks/protocol'
import {
  getOwnField,
  MAX_CONTENT_BLOCKS,
  appendPointer,
  META_ERROR,
  withOriginalWireFields,
  describeValue,
} from '@toolblocks/protocol/internal'
import { readBlock } from './read-block.ts'
import { readFields, renameField, resultShape, takeWhole } from './read-fields.ts'
import { findMeantName } from './find-meant-name.ts'
import { type Reading, warn } from '../reading/reading.ts'
import { warnOfValue } from './warn-of-value.ts'

/**
 * Reads the fields of a result around its blocks. `metadata` and `id` belong to the host: a tool's values for them move to
 * `_meta["toolblocks/wire"]`. Unknown fields stay.
 */
export function readResult(
  document: JsonObject,
  content: readonly unknown[],
  reading: Reading,
): ToolResult {
  const renamed = OTHER_NAMES.reduce((read, name) => renameField(read, name, reading), document)
  const blocks = readContent(content, reading)
  if ('content' in renamed && takeWhole(renamed, 1, reading)) {
    return { content: blocks, isError: false }
  }
  const read = moveHostFields(readFields(renamed, resultShape, reading), reading)
  const isError = readIsError(renamed['isError'], reading)
  warnOfMisspelled(read, reading)
  warnOfValue(read['structuredContent'], reading)
  if (!isError) warnOfTransient(read['_meta'], reading)
  return { ...read, content: blocks, isError }
}

/** Names of fields as languages with underscores in names write them. */
const OTHER_NAMES = [
  { from: 'is_error', to: 'isError' },
  { from: 'structured_content', to: 'structuredContent' },
] as const

/** The fields of a result that its author misses without a hint if the name is misspelled. */
const MISSED_FIELDS = ['isError', 'structuredContent'] as const

/** Warns of a field whose name is almost that of a field which the result does not have. */
function warnOfMisspelled(result: JsonObject, reading: Reading): void {
  const missing = MISSED_FIELDS.filter((name) => !Object.hasOwn(result, name))
  if (missing.length === 0) return
  for (const name of Object.keys(result)) {
    const meant = findMeantName(name, missing)
    if (meant === undefined) continue
    warn(reading, {
      code: 'misspelled-field',
      at: appendPointer('', name),
      message: `The field ${JSON.stringify(name)} has no effect; did you mean "${meant}"?`,
      expected: `"${meant}"`,
      got: JSON.stringify(name),
    })
  }
}

/** Only a failure can be transient, so its tool has probably forgotten `isError`. */
function warnOfTransient(meta: unknown, reading: Reading): void {
  const details = isJsonObject(meta) ? getOwnField(meta, META_ERROR) : undefined
  if (!isJsonObject(details) || getOwnField(details, 'transient') !== true) return
  warn(reading, {
    code: 'missing-is-error',
    at: appendPointer(appendPointer('/_meta', META_ERROR), 'transient'),
    message: 'A result that is not an error is not transient; the result was read as a success.',
    expected: '"isError": true beside "content"',
    got: '"transient": true without it',
  })
}

function moveHostFields(read: JsonObject, reading: Reading): JsonObject {
  if (!('metadata' in read || 'id' in read)) return read
  const { metadata, id, ...rest } = read
  const claims = {
    ...(metadata !== undefined && { metadata }),
    ...(id !== undefined && { id }),
  }
  for (const [name, value] of Object.entries(claims)) {
    warn(reading, {
      code: 'moved-to-wire',
      at: `/${name}`,
      message: `"${name}" belongs to the host; it was moved to _meta["toolblocks/wire"].`,
      expected: 'nothing',
      got: describeValue(value),
    })
  }
  return withOriginalWireFields(rest, claims)
}

function readIsError(value: unknown, reading: Reading): boolean {
  if (typeof value === 'boolean') return value
  if (value === undefined) return false
  if (value === null) {
    reading.inexact = true
    return false
  }
  const isError = !meansFalse(value)
  warn(reading, {
    code: 'coerced-is-error',
    at: '/isError',
    message: `"isError" was read as ${isError}.`,
    expected: 'true or false',
    got: describeValue(value),
  })
  return isError
}

function meansFalse(value: unknown): boolean {
  if (typeof value === 'string') return /^(?:false|no|0|null)?$/i.test(value.trim())
  return value === 0
}

/** Reads the blocks of a `content` array in order. */
function readContent(content: readonly unknown[], reading: Reading): ContentBlock[] {
  const limited = withinLimit(content, reading)
  const blocks: ContentBlock[] = []
  for (let index = 0; index < limited.length; index += 1) {
    reading.block = index
    const block = readBlock(limited[index], reading)
    if (block) blocks.push(block)
  }
  reading.block = undefined
  reading.nodes += limited.length
  return blocks
}

function withinLimit(content: readonly unknown[], reading: Reading): readonly unknown[] {
  if (content.length <= MAX_CONTENT_BLOCKS) return content
  reading.exceeded ??= 'blocks'
  warn(reading, {
    code: 'over-limit',
    at: '/content',
    message: `The blocks after the first ${MAX_CONTENT_BLOCKS} were omitted.`,
    expected: `at most ${MAX_CONTENT_BLOCKS} blocks`,
    got: `${content.length} blocks`,
  })
  return content.slice(0, MAX_CONTENT_BLOCKS)
}
