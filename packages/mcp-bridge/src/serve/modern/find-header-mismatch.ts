import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { field, isJsonObject, type JsonObject, type JsonSchema } from '@toolblocks/protocol'
import { HEADER_KEYWORD } from '../../tools/find-odd-header.ts'

/** An argument and the header that should say the same, by its name. */
export interface HeaderMismatch {
  header: string
  reason: string
}

/** The first argument of a call that its header does not repeat, though the tool's schema wants one (MCP 2026-07-28). */
export function findHeaderMismatch(
  inputSchema: JsonSchema,
  given: JsonObject,
  headers: IncomingHttpHeaders,
): HeaderMismatch | undefined {
  const open = [{ schema: inputSchema as unknown, values: given }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { schema, values } = next
    const properties = isJsonObject(schema) ? field(schema, 'properties') : undefined
    if (!isJsonObject(properties)) continue
    for (const [name, property] of Object.entries(properties)) {
      const value = field(values, name)
      if (!isJsonObject(property) || value === undefined || value === null) continue
      if (isJsonObject(value)) open.push({ schema: property, values: value })
      const declared = field(property, HEADER_KEYWORD)
      if (typeof declared !== 'string') continue
      const header = `Mcp-Param-${declared}`
      const reason = misfit(headers[header.toLowerCase()], value)
      if (reason !== undefined) return { header, reason }
    }
  }
  return undefined
}

function misfit(sent: string | readonly string[] | undefined, value: unknown): string | undefined {
  if (typeof sent !== 'string') return 'the argument is there and the header is not'
  const said = decode(sent)
  if (said === undefined) return 'the header is no base64 of a text'
  const isSame =
    typeof value === 'number' && DECIMAL.test(said)
      ? Number(said) === value
      : said === String(value)
  return isSame ? undefined : 'the header says something else than the argument'
}

const DECIMAL = /^-?\d+(?:\.\d+)?$/
/** How a header carries what a header cannot. */
const WRAPPED = /^=\?base64\?(.*)\?=$/

function decode(sent: string): string | undefined {
  const wrapped = WRAPPED.exec(sent)?.[1]
  if (wrapped === undefined) return sent
  const bytes = Buffer.from(wrapped, 'base64')
  // Buffer reads what is no base64, too.
  return bytes.toString('base64') === wrapped && isUtf8(bytes) ? bytes.toString() : undefined
}
