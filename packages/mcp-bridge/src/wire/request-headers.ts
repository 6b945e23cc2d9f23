import { isUtf8 } from 'node:buffer'
import { type JsonObject, type JsonSchema, isJsonObject } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'

// MCP 2026-07-28 repeats parts of a request in HTTP headers, so that proxies need not read its body.

/** The only version so far that does this. */
export const STATELESS_VERSION = '2026-07-28'

/** The parameter that the header `Mcp-Name` repeats, by method. */
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

/** Keyword of an argument that is also sent as a header. */
const KEYWORD = 'x-mcp-header'

/** Returns the headers that repeat parts of a request: its version, method and name. */
export function requestHeaders(message: JsonObject): Readonly<Record<string, string>> {
  const { method, params } = message
  const version = { 'mcp-protocol-version': STATELESS_VERSION }
  if (typeof method !== 'string' || !('id' in message)) return version
  const name = findName(method, params)
  return {
    ...version,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': encode(name) }),
  }
}

/** Returns the headers for the arguments that the tool's schema marks. */
export function argumentHeaders(
  inputSchema: JsonSchema,
  toolArguments: JsonObject,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...declaredArguments(inputSchema, toolArguments)].flatMap(({ header, value }) => {
      const isPlain =
        typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
      const isInexact = Number.isInteger(value) && !Number.isSafeInteger(value)
      return isPlain && !isInexact ? [[header, encode(String(value))]] : []
    }),
  )
}

/** A header that differs from the request. */
export interface HeaderMismatch {
  header: string
  reason: string
}

/** The headers of a request, by their names in lower case. */
export type GivenHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** Finds the first header that does not repeat its part of the request. */
export function findRequestMismatch(
  { method, params }: { method: string; params: JsonObject },
  version: unknown,
  headers: GivenHeaders,
): HeaderMismatch | undefined {
  return (
    mismatch('Mcp-Protocol-Version', version, headers) ??
    mismatch('Mcp-Method', method, headers) ??
    mismatch('Mcp-Name', findName(method, params), headers)
  )
}

/** Finds the first argument that its header does not repeat although the tool's schema requires it. */
export function findArgumentMismatch(
  inputSchema: JsonSchema,
  toolArguments: JsonObject,
  headers: GivenHeaders,
): HeaderMismatch | undefined {
  for (const { header, value } of declaredArguments(inputSchema, toolArguments)) {
    const problem = mismatch(header, value, headers)
    if (problem) return problem
  }
  return undefined
}

function findName(method: string, params: unknown): string | undefined {
  const source = Object.hasOwn(NAMED, method) ? NAMED[method] : undefined
  const name =
    source !== undefined && isJsonObject(params) ? getOwnField(params, source) : undefined
  return typeof name === 'string' ? name : undefined
}

/** Yields the present arguments that have a header, at any depth. */
function* declaredArguments(
  inputSchema: JsonSchema,
  toolArguments: JsonObject,
): Generator<{ header: string; value: unknown }> {
  const open = [{ schema: inputSchema as unknown, values: toolArguments }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { schema, values } = next
    const properties = isJsonObject(schema) ? getOwnField(schema, 'properties') : undefined
    if (!isJsonObject(properties)) continue
    for (const [name, property] of Object.entries(properties)) {
      const value = getOwnField(values, name)
      if (!isJsonObject(property) || value === undefined || value === null) continue
      if (isJsonObject(value)) open.push({ schema: property, values: value })
      const declared = getOwnField(property, KEYWORD)
      if (typeof declared === 'string') yield { header: `Mcp-Param-${declared}`, value }
    }
  }
}

function mismatch(
  header: string,
  value: unknown,
  headers: GivenHeaders,
): HeaderMismatch | undefined {
  if (value === undefined) return undefined
  const sent = headers[header.toLowerCase()]
  if (typeof sent !== 'string')
    return { header, reason: 'the request has the value and the header is missing' }
  const decoded = decode(sent.trim())
  if (decoded === undefined) return { header, reason: 'the header is not valid base64 of a text' }
  const isSame =
    typeof value === 'number' && DECIMAL.test(decoded)
      ? Number(decoded) === value
      : decoded === (typeof value === 'string' ? value : JSON.stringify(value))
  return isSame ? undefined : { header, reason: 'the header differs from the request' }
}

const DECIMAL = /^-?\d+(?:\.\d+)?$/
/** The encoding of values that a header cannot contain directly. */
const WRAPPED = /^=\?base64\?(.*)\?=$/
const PLAIN = /^[\t\x20-\x7e]+$/

function encode(value: string): string {
  const isPlain = PLAIN.test(value) && value.trim() === value && !WRAPPED.test(value)
  return isPlain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`
}

function decode(sent: string): string | undefined {
  const wrapped = WRAPPED.exec(sent)?.[1]
  if (wrapped === undefined) return sent
  const bytes = Buffer.from(wrapped, 'base64')
  // Buffer also decodes text that is not base64.
  return bytes.toString('base64') === wrapped && isUtf8(bytes) ? bytes.toString() : undefined
}

/** A token of RFC 9110. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const TYPES = new Set<unknown>(['string', 'integer', 'boolean'])
/** Keywords that contain values, not schemas. */
const VALUES = new Set(['const', 'enum', 'default', 'examples', 'required', KEYWORD])

/**
 * Explains which header mark makes a tool unusable, by the rules of MCP: an invalid name, a name that is used twice, or a mark on a value that is
 * not a plain argument.
 */
export function findInvalidHeader(inputSchema: JsonSchema): string | undefined {
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
    if (Object.hasOwn(schema, KEYWORD)) {
      const problem = isArgument ? findHeaderProblem(schema, names) : 'it is not on an argument'
      if (problem !== undefined) return `its "${KEYWORD}" cannot be used: ${problem}`
    }
    const { properties, ...keywords } = schema
    // Properties of arguments are arguments, if only `properties` are between.
    const isChain = isArgument || schema === inputSchema
    if (isJsonObject(properties))
      for (const property of Object.values(properties))
        open.push({ schema: property, isArgument: isChain })
    for (const [keyword, value] of Object.entries(keywords))
      if (!VALUES.has(keyword)) open.push({ schema: value, isArgument: false })
  }
  return undefined
}

function findHeaderProblem(schema: JsonObject, names: Set<string>): string | undefined {
  const name = schema[KEYWORD]
  if (typeof name !== 'string' || !TOKEN.test(name))
    return `${JSON.stringify(name)} is not a valid name of a header`
  if (!TYPES.has(schema['type']))
    return 'only a string, an integer or a boolean can be sent as a header'
  if (names.has(name.toLowerCase())) return `${JSON.stringify(name)} is used twice`
  names.add(name.toLowerCase())
  return undefined
}
