import { parseToolResult, type ParsedServerResult } from '@toolblocks/parser'
import {
  describeQuestion,
  isJsonObject,
  type JsonObject,
  type ToolResult,
} from '@toolblocks/protocol'
import { restoreResult } from './strict-result.ts'

/**
 * Reads the `CallToolResult` of a server: its blocks in their order with every field, also those that MCP does not know. What crossed
 * MCP in `_meta["toolblocks/fields"]` is where it was. Never throws; `kind` says what came instead of a result.
 */
export function fromCallToolResult(result: unknown): ParsedServerResult {
  return parseToolResult(restoreResult(withoutServerInfo(result)), { from: 'mcp' })
}

/** A modern server's word about itself, which stands in every result. */
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo'

function withoutServerInfo(result: unknown): unknown {
  if (!isJsonObject(result)) return result
  const { _meta: given } = result
  if (!isJsonObject(given) || !Object.hasOwn(given, SERVER_INFO)) return result
  const { _meta: _given, ...rest } = result
  const { [SERVER_INFO]: _info, ...others } = given
  return { ...rest, ...(Object.keys(others).length > 0 && { _meta: others }) }
}

/**
 * Writes a result as MCP's `CallToolResult`. What `fromCallToolResult` read without a warning comes out deeply equal, an absent `isError` being
 * `false`; what it repaired comes out repaired, and stays as it is from then on. What only the host knows (`id`, `metadata`) is
 * left out; a question becomes a text, as MCP has no such block.
 */
export function toCallToolResult(result: ToolResult): JsonObject {
  const { id: _id, metadata: _metadata, content, isError, ...rest } = result
  return {
    content: content.map((block) =>
      block.type === 'question' ? { type: 'text', text: describeQuestion(block.question) } : block,
    ),
    ...(isError && { isError }),
    ...rest,
  }
}
