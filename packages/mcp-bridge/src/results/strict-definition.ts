import {
  getOwnField,
  isJsonObject,
  type JsonObject,
  type ToolDefinition,
} from '@toolblocks/protocol'

/** `_meta` key under which our own fields of a tool cross MCP: `{summary?, description?, examples?}`. */
const META_DEFINITION = 'toolblocks/definition'

/** A definition as an MCP server may send it: its description is the summary, a blank line, the description. */
export function toStrictDefinition(definition: ToolDefinition): JsonObject {
  const { summary, description, examples, _meta: meta, ...rest } = definition
  const said = [summary, description === summary ? undefined : description].filter(
    (text) => text !== undefined,
  )
  const own = {
    ...(summary !== undefined && { summary, ...(description !== undefined && { description }) }),
    ...(examples !== undefined && { examples }),
  }
  const hasOwn = Object.keys(own).length > 0
  return {
    ...rest,
    ...(said.length > 0 && { description: said.join('\n\n') }),
    inputSchema: asObjectSchema(definition.inputSchema),
    ...((meta !== undefined || hasOwn) && {
      _meta: { ...meta, ...(hasOwn && { [META_DEFINITION]: own }) },
    }),
  }
}

/** What `toStrictDefinition` was given; anything else is given back. */
export function restoreDefinition(given: unknown): unknown {
  if (!isJsonObject(given)) return given
  const { _meta: meta } = given
  const own = isJsonObject(meta) ? getOwnField(meta, META_DEFINITION) : undefined
  if (!isJsonObject(meta) || !isJsonObject(own)) return given
  const { [META_DEFINITION]: _own, ...others } = meta
  const { summary, description, examples } = own
  const { description: said, _meta: _moved, ...rest } = given
  const text = typeof summary === 'string' ? description : said
  return {
    ...rest,
    ...(typeof summary === 'string' && { summary }),
    ...(typeof text === 'string' && { description: text }),
    ...(typeof examples === 'string' && { examples }),
    ...(Object.keys(others).length > 0 && { _meta: others }),
  }
}

/** MCP wants an object at the root. */
function asObjectSchema(schema: ToolDefinition['inputSchema']): JsonObject {
  return typeof schema === 'object' ? { type: 'object', ...schema } : { type: 'object' }
}
