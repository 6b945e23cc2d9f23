import { isJsonObject, type JsonSchema } from '@toolblocks/protocol'

/** Keyword that has an argument sent as a header, too (MCP 2026-07-28). */
export const HEADER_KEYWORD = 'x-mcp-header'
/** A name as RFC 9110 has it. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const TYPES = new Set<unknown>(['string', 'integer', 'boolean'])

/** Says what keeps a tool from being called, as MCP has it: a header without a proper name, twice the same, or for what is no plain argument. */
export function findOddHeader(inputSchema: JsonSchema): string | undefined {
  const names = new Set<string>()
  const open: { schema: unknown; isArgument: boolean }[] = [
    { schema: inputSchema, isArgument: false },
  ]
  for (let next = open.pop(); next; next = open.pop()) {
    const { schema, isArgument } = next
    if (!isJsonObject(schema)) {
      if (Array.isArray(schema))
        for (const item of schema) open.push({ schema: item, isArgument: false })
      continue
    }
    if (Object.hasOwn(schema, HEADER_KEYWORD)) {
      const problem = isArgument ? oddHeader(schema, names) : 'it stands where no argument is'
      if (problem !== undefined) return `its "${HEADER_KEYWORD}" cannot be used: ${problem}`
    }
    const { properties, ...keywords } = schema
    // Arguments of arguments are arguments, as long as nothing else stands between.
    const isChain = isArgument || schema === inputSchema
    if (isJsonObject(properties))
      for (const property of Object.values(properties))
        open.push({ schema: property, isArgument: isChain })
    for (const [keyword, value] of Object.entries(keywords))
      if (!VALUES.has(keyword)) open.push({ schema: value, isArgument: false })
  }
  return undefined
}

/** Keywords that hold values, not schemas. */
const VALUES = new Set(['const', 'enum', 'default', 'examples', 'required', HEADER_KEYWORD])

function oddHeader(
  schema: Readonly<Record<string, unknown>>,
  names: Set<string>,
): string | undefined {
  const name = schema[HEADER_KEYWORD]
  if (typeof name !== 'string' || !TOKEN.test(name))
    return `${JSON.stringify(name)} is no name of a header`
  if (!TYPES.has(schema['type'])) return 'only a text, an integer or a truth value can be one'
  if (names.has(name.toLowerCase())) return `${JSON.stringify(name)} stands twice`
  names.add(name.toLowerCase())
  return undefined
}
