import type { JsonObject, ToolResult } from '@toolblocks/protocol'
import { asObject } from './blocks/read-fields.ts'
import type { ParsedResult } from './parsed-result.ts'
import {
  describeValue,
  quote,
  type Reading,
  type ResultSource,
  startReading,
  warn,
} from './reading.ts'
import { coerceContent } from './result/coerce-content.ts'
import { readResult, withWarnings } from './result/read-result.ts'

/**
 * Reads a result that arrived as a value: `from: 'mcp'` for what a server answered to `tools/call`, `from: 'tool'` for
 * anything else that speaks blocks. Coerces what real servers send instead of a `content` array; a `question` from MCP is
 * an unknown block. Bad blocks are skipped and bad fields left out, each with a warning. Never throws.
 * Source: specs/000, MCP 2025-11-25 and 2026-07-28.
 */
export function parseToolResult(value: unknown, { from }: { from: ResultSource }): ParsedResult {
  const reading = startReading(from, 'value')
  const result = withWarnings(readValue(value, reading), reading.warnings)
  const reversible = reading.warnings.length === 0 && !reading.inexact
  return { result, warnings: reading.warnings, reversible }
}

function readValue(value: unknown, reading: Reading): ToolResult {
  const document = asObject(value, reading)
  if (!document) return readNoObject(value, reading)
  return reading.from === 'mcp' ? readServerResult(document, reading) : readAny(document, reading)
}

function readAny(document: JsonObject, reading: Reading): ToolResult {
  return readResult(document, coerceContent(document['content'], reading), reading)
}

function readServerResult(document: JsonObject, reading: Reading): ToolResult {
  const { resultType } = document
  const result = readAny(withStructuredContent(document, reading), reading)
  const isSupported = resultType === undefined || resultType === 'complete'
  return isSupported ? result : refuseResultType(result, resultType, reading)
}

/** Anything but an object is not a result; what it says is kept. */
function readNoObject(value: unknown, reading: Reading): ToolResult {
  warn(reading, {
    code: 'malformed-result',
    message: 'The result is no object; it was kept as it is.',
    expected: 'object with a "content" array',
    got: describeValue(value),
  })
  if (typeof value === 'string') return { content: [{ type: 'text', text: value }], isError: false }
  return readResult({ structuredContent: value }, [], reading)
}

/** MCP 2024-10-07 put its only result into `toolResult`. */
function withStructuredContent(document: JsonObject, reading: Reading): JsonObject {
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

/** A result of another type is unfinished or unknown: read as success it would be an empty one. */
function refuseResultType(result: ToolResult, type: unknown, reading: Reading): ToolResult {
  const name = typeof type === 'string' ? quote(type) : describeValue(type)
  warn(reading, {
    code: 'unsupported-result-type',
    at: '/resultType',
    message: 'The server sent a type of result that cannot be read here.',
    expected: '"complete" or nothing',
    got: name,
  })
  const text = `The server answered with a result of type ${name}, which is not supported here.`
  return { ...result, content: [{ type: 'text', text }, ...result.content], isError: true }
}
