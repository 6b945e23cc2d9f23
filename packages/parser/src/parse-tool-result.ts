import { type JsonObject, type ToolResult, isJsonObject } from '@toolblocks/protocol'
import {
  requireArguments,
  withWarnings,
  requireChoices,
  describeValue,
  quoteBriefly,
} from '@toolblocks/protocol/internal'
import { asObject } from './blocks/read-fields.ts'
import {
  type ParsedResult,
  type ParsedMcpResult,
  type Reading,
  type ResultSource,
  type UnfinishedResult,
  startReading,
  warn,
} from './reading/reading.ts'
import { textOfScalar } from './blocks/read-block.ts'
import { readResult } from './blocks/read-result.ts'

/**
 * Reads a result that is a value: `from: 'mcp'` for a server's response to `tools/call`, `from: 'tool'` for other producers of blocks. Converts
 * what real servers send instead of a `content` array. A `question` from MCP is an unknown block. Invalid blocks are skipped and invalid fields
 * omitted, each with a warning. A response before a call is done (`input_required`, a task) has another `kind`. Never throws, even with getters and
 * proxies. Source: `docs/protocol.md`, MCP 2025-11-25 and 2026-07-28.
 */
export function parseToolResult(value: unknown, source: { from: 'mcp' }): ParsedMcpResult
export function parseToolResult(value: unknown, source: { from: 'tool' }): ParsedResult
export function parseToolResult(
  value: unknown,
  source: { from: ResultSource },
): ParsedMcpResult | ParsedResult
export function parseToolResult(
  value: unknown,
  options: { from: ResultSource },
): ParsedMcpResult | ParsedResult {
  requireArguments(
    'parseToolResult(value, options)',
    [value, 'anything'],
    [options, { from: 'string' }],
  )
  requireChoices('parseToolResult(value, options)', 'options', options, { from: ['mcp', 'tool'] })
  const { from } = options
  try {
    const unfinished = from === 'mcp' ? readUnfinished(value) : undefined
    if (unfinished) return unfinished
    const read = readToolResult(value, from)
    return from === 'mcp' ? { kind: 'complete', ...read } : read
  } catch {
    // A getter or proxy threw. JSON has neither, so the value cannot be trusted.
    const refused = readToolResult(undefined, from)
    return from === 'mcp' ? { kind: 'complete', ...refused } : refused
  }
}

/** A server's response that is not yet the result of a call. Read as a result, it would be an empty success. */
function readUnfinished(value: unknown): UnfinishedResult | undefined {
  if (!isJsonObject(value)) return undefined
  const { resultType, task, content } = value
  switch (resultType) {
    case 'input_required':
    case 'task':
      return { kind: resultType, document: value }
    case 'complete':
    case undefined:
    case null:
      // MCP 2025-11-25 has no `resultType`. A created task is recognized by its field.
      return isJsonObject(task) && !Array.isArray(content)
        ? { kind: 'task', document: value }
        : undefined
    default:
      return { kind: 'unknown', document: value, resultType: getName(resultType) }
  }
}

function getName(resultType: JsonObject[string]): string {
  return typeof resultType === 'string' ? quoteBriefly(resultType) : describeValue(resultType)
}

function readToolResult(value: unknown, from: ResultSource): ParsedResult {
  const reading = startReading(from, 'value')
  const document = asObject(value, reading)
  const result = document ? readAny(document, reading) : readNoObject(value, reading)
  const { warnings, inexact } = reading
  return {
    result: withWarnings(result, { after: warnings }),
    warnings,
    reversible: warnings.length === 0 && !inexact,
  }
}

function readAny(document: JsonObject, reading: Reading): ToolResult {
  const normalized = reading.from === 'mcp' ? withStructuredContent(document, reading) : document
  return readResult(normalized, coerceContent(normalized['content'], reading), reading)
}

/** Converts what real servers send as `content` into an array. An absent `content` is empty, without a warning. */
function coerceContent(content: unknown, reading: Reading): readonly unknown[] {
  if (Array.isArray(content)) return content
  if (content === undefined) return []
  warn(reading, {
    code: 'coerced-content',
    at: '/content',
    message: '"content" is not an array; it was converted to one.',
    expected: 'array of blocks',
    got: describeValue(content),
  })
  if (isJsonObject(content)) return [content]
  const text = textOfScalar(content)
  return text === undefined ? [] : [{ type: 'text', text }]
}

/** A value that is not an object is not a result. Its text is kept. */
function readNoObject(value: unknown, reading: Reading): ToolResult {
  warn(reading, {
    code: 'malformed-result',
    message: 'The result is not an object; it was kept unchanged.',
    expected: 'object with a "content" array',
    got: describeValue(value),
  })
  if (typeof value === 'string') return { content: [{ type: 'text', text: value }], isError: false }
  return readResult({ structuredContent: value }, [], reading)
}

/** MCP 2024-10-07 put its only result into `toolResult`. */
function withStructuredContent(document: JsonObject, reading: Reading): JsonObject {
  if (!('toolResult' in document)) return document
  const { toolResult, ...rest } = document
  if (toolResult === undefined || 'content' in rest || 'structuredContent' in rest) return document
  warn(reading, {
    code: 'legacy-tool-result',
    at: '/toolResult',
    message: '"toolResult" of an old protocol was read as "structuredContent".',
    expected: '"content"',
    got: '"toolResult"',
  })
  return { ...rest, structuredContent: toolResult }
}
