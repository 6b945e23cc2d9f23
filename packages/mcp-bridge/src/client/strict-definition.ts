import { type JsonObject, type ToolDefinition, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, firstSentence } from '@toolblocks/protocol/internal'
import { isObjectSchema } from './fit-output-schema.ts'
import type { ProtocolVersion } from './from-call-tool-result.ts'

/** `_meta` key for the fields of a tool that MCP does not define: `{summary?, description?, examples?, outputSchema?}`. */
const META_DEFINITION = 'toolblocks/definition'

/**
 * Returns a definition as an MCP server may send it: its description is the summary, a blank line, the description. A summary that is the first
 * sentence of the description is not repeated. Clients of MCP up to 2025-11-25
 * refuse the complete list if an `outputSchema` does not describe an object, so it is sent in `_meta`.
 */
export function toStrictDefinition(
  definition: ToolDefinition,
  protocolVersion: ProtocolVersion,
): JsonObject {
  const {
    summary: ownSummary,
    description,
    examples,
    outputSchema,
    _meta: meta,
    ...rest
  } = definition
  // Whoever reads the description finds this summary in it.
  const isFirstSentence =
    ownSummary !== undefined && ownSummary === firstSentence(description ?? '')
  const summary = isFirstSentence ? undefined : ownSummary
  const isMoved =
    outputSchema !== undefined && protocolVersion === '2025-11-25' && !isObjectSchema(outputSchema)
  const texts = [summary, description === summary ? undefined : description].filter(
    (text) => text !== undefined,
  )
  const own = {
    ...(summary !== undefined && { summary, ...(description !== undefined && { description }) }),
    ...(examples !== undefined && { examples }),
    ...(isMoved && { outputSchema }),
  }
  const hasOwn = Object.keys(own).length > 0
  return {
    ...rest,
    ...(texts.length > 0 && { description: texts.join('\n\n') }),
    inputSchema: asObjectSchema(definition.inputSchema),
    ...(outputSchema !== undefined && !isMoved && { outputSchema }),
    ...((meta !== undefined || hasOwn) && {
      _meta: { ...meta, ...(hasOwn && { [META_DEFINITION]: own }) },
    }),
  }
}

/** Reverses `toStrictDefinition`; returns any other value unchanged. */
export function restoreDefinition(value: unknown): unknown {
  if (!isJsonObject(value)) return value
  const { _meta: meta } = value
  const own = isJsonObject(meta) ? getOwnField(meta, META_DEFINITION) : undefined
  if (!isJsonObject(meta) || !isJsonObject(own)) return value
  const { [META_DEFINITION]: _own, ...others } = meta
  const { summary, description, examples, outputSchema } = own
  const { description: strictDescription, _meta: _moved, ...rest } = value
  const text = typeof summary === 'string' ? description : strictDescription
  return {
    ...rest,
    ...(typeof summary === 'string' && { summary }),
    ...(typeof text === 'string' && { description: text }),
    ...(typeof examples === 'string' && { examples }),
    ...(outputSchema !== undefined && { outputSchema }),
    ...(Object.keys(others).length > 0 && { _meta: others }),
  }
}

/** MCP requires an object at the root. */
function asObjectSchema(schema: ToolDefinition['inputSchema']): JsonObject {
  return typeof schema === 'object' ? { type: 'object', ...schema } : { type: 'object' }
}
