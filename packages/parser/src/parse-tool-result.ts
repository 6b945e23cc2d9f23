import { describeValue, type JsonObject, type ToolResult } from '@toolblocks/protocol'
import { asObject } from './blocks/read-fields.ts'
import type { ParsedResult, ParsedServerResult } from './parsed-result.ts'
import { type Reading, type ResultSource, startReading, warn } from './reading.ts'
import { coerceContent } from './result/coerce-content.ts'
import { readResult, withWarnings } from './result/read-result.ts'
import { readUnfinished } from './result/read-unfinished.ts'

/**
 * Reads a result that arrived as a value: `from: 'mcp'` for what a server answered to `tools/call`, `from: 'tool'` for
 * anything else that speaks blocks. Coerces what real servers send instead of a `content` array; a `question` from MCP is
 * an unknown block. Bad blocks are skipped and bad fields left out, each with a warning. What a server answers before a call is done
 * (`input_required`, a task) is of another `kind`. Never throws, whatever getters and proxies do.
 * Source: `docs/protocol.md`, MCP 2025-11-25 and 2026-07-28.
 */
export function parseToolResult(value: unknown, source: { from: 'mcp' }): ParsedServerResult
export function parseToolResult(value: unknown, source: { from: 'tool' }): ParsedResult
export function parseToolResult(
  value: unknown,
  source: { from: ResultSource },
): ParsedServerResult | ParsedResult
export function parseToolResult(
  value: unknown,
  { from }: { from: ResultSource },
): ParsedServerResult | ParsedResult {
  try {
    return from === 'mcp' ? readServerResult(value) : readToolResult(value, 'tool')
  } catch {
    // A getter or proxy threw, which JSON has not: nothing that it says can be trusted.
    const refused = readToolResult(undefined, from)
    return from === 'mcp' ? { kind: 'complete', ...refused } : refused
  }
}

function readServerResult(value: unknown): ParsedServerResult {
  const unfinished = readUnfinished(value)
  return unfinished ?? { kind: 'complete', ...readToolResult(value, 'mcp') }
}

function readToolResult(value: unknown, from: ResultSource): ParsedResult {
  const reading = startReading(from, 'value')
  const document = asObject(value, reading)
  const result = document ? readAny(document, reading) : readNoObject(value, reading)
  const { warnings, inexact } = reading
  return {
    result: withWarnings(result, warnings),
    warnings,
    reversible: warnings.length === 0 && !inexact,
  }
}

function readAny(document: JsonObject, reading: Reading): ToolResult {
  const given = reading.from === 'mcp' ? withStructuredContent(document, reading) : document
  return readResult(given, coerceContent(given['content'], reading), reading)
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
