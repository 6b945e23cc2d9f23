import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { requireArguments, appendPointer, describeValue } from '@toolblocks/protocol/internal'
import type { BridgeProblem } from './client/failures.ts'
import type { LinkPolicy, ServerConfig, ServerTransport } from './client/server-config.ts'

/** The servers of a configuration file, and its problems. */
export interface ServerConfigs {
  readonly servers: readonly ServerConfig[]
  /** Paths are relative to the document. A server with a problem is omitted. */
  readonly problems: readonly BridgeProblem[]
}

/**
 * Reads `mcpServers` as MCP hosts write it (`.mcp.json`): `command`, `args`, `env` and `cwd`, or `url` and `headers`. `${NAME}` and
 * `${NAME:-default}` are replaced by variables of the environment, everywhere but in names. Also read: `protocol_version`, `trusted`, `timeout_ms`,
 * `connect_timeout_ms`, `links` (`mode`, `max_links`, `max_bytes`, `max_total_bytes`), `disabled`. Never throws.
 */
export function readServerConfigs(
  document: unknown,
  options: { environment: Readonly<Record<string, string | undefined>> },
): ServerConfigs {
  requireArguments(
    'readServerConfigs(document, options)',
    [document, 'anything'],
    [options, { environment: 'object' }],
  )
  const { environment } = options
  const problems: BridgeProblem[] = []
  const listed = isJsonObject(document) ? document['mcpServers'] : undefined
  if (!isJsonObject(listed)) {
    problems.push(malformed('/mcpServers', 'an object with a server under each name', listed))
    return { servers: [], problems }
  }
  const servers = Object.entries(listed).flatMap(([name, entry]) => {
    const before = problems.length
    const server = readServer(name, entry, {
      at: appendPointer('/mcpServers', name),
      environment,
      problems,
    })
    return server && problems.length === before ? [server] : []
  })
  return { servers, problems }
}

interface ServersReading {
  at: string
  environment: Readonly<Record<string, string | undefined>>
  problems: BridgeProblem[]
}

function readServer(
  name: string,
  entry: unknown,
  reading: ServersReading,
): ServerConfig | undefined {
  if (name.trim() === '') return refuse(reading, '', 'a name for the server', name)
  if (!isJsonObject(entry)) return refuse(reading, '', 'an object with "command" or "url"', entry)
  if (entry['disabled'] === true) return undefined
  const transport = readTransport(entry, reading)
  if (!transport) return undefined
  const protocolVersion = entry['protocol_version']
  if (
    protocolVersion !== undefined &&
    protocolVersion !== 'auto' &&
    protocolVersion !== '2025-11-25' &&
    protocolVersion !== '2026-07-28'
  )
    return refuse(
      reading,
      '/protocol_version',
      '"auto", "2025-11-25" or "2026-07-28"',
      protocolVersion,
    )
  const timeoutMs = readMilliseconds(entry, 'timeout_ms', reading)
  const connectTimeoutMs = readMilliseconds(entry, 'connect_timeout_ms', reading)
  const links = readLinkPolicy(entry, reading)
  return {
    name,
    transport,
    ...(protocolVersion !== undefined && { protocolVersion }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(connectTimeoutMs !== undefined && { connectTimeoutMs }),
    ...(entry['trusted'] === true && { trusted: true }),
    ...(links && { links }),
  }
}

function readTransport(entry: JsonObject, reading: ServersReading): ServerTransport | undefined {
  const { command, url, type } = entry
  if (type === 'sse')
    return refuse(
      reading,
      '/type',
      '"http" or "stdio": HTTP with SSE (2024-11-05) is not supported',
      type,
    )
  if (command !== undefined && url !== undefined)
    return refuse(reading, '', '"command" or "url", not both', entry)
  if (typeof url === 'string') {
    const headers = readTexts(entry, 'headers', reading)
    return { kind: 'http', url: expand(url, '/url', reading), ...(headers && { headers }) }
  }
  if (typeof command !== 'string' || command === '')
    return refuse(reading, '', '"command" or "url"', entry)
  const env = readTexts(entry, 'env', reading)
  const args = readArguments(entry, reading)
  const { cwd } = entry
  if (cwd !== undefined && typeof cwd !== 'string') return refuse(reading, '/cwd', 'a path', cwd)
  return {
    kind: 'stdio',
    command: expand(command, '/command', reading),
    ...(args && { args }),
    ...(env && { env }),
    ...(cwd !== undefined && { cwd: expand(cwd, '/cwd', reading) }),
  }
}

function readArguments(
  { args }: JsonObject,
  reading: ServersReading,
): readonly string[] | undefined {
  if (args === undefined) return undefined
  if (!Array.isArray(args)) return refuse(reading, '/args', 'an array of strings', args)
  return args.flatMap((value: unknown, index) =>
    typeof value === 'string'
      ? [expand(value, `/args/${index}`, reading)]
      : (refuse(reading, `/args/${index}`, 'a string', value) ?? []),
  )
}

function readTexts(
  entry: JsonObject,
  field: string,
  reading: ServersReading,
): Readonly<Record<string, string>> | undefined {
  const texts = entry[field]
  if (texts === undefined) return undefined
  if (!isJsonObject(texts)) return refuse(reading, `/${field}`, 'an object of strings', texts)
  const read: [string, string][] = []
  for (const [name, value] of Object.entries(texts)) {
    const path = appendPointer(`/${field}`, name)
    if (typeof value === 'string') read.push([name, expand(value, path, reading)])
    else refuse(reading, path, 'a string', value)
  }
  return Object.fromEntries(read)
}

function readLinkPolicy({ links }: JsonObject, reading: ServersReading): LinkPolicy | undefined {
  if (links === undefined) return undefined
  if (!isJsonObject(links))
    return refuse(reading, '/links', 'an object such as {"mode": "preview"}', links)
  const { mode, max_links, max_bytes, max_total_bytes, ...others } = links
  const [odd] = Object.keys(others)
  if (odd !== undefined)
    return refuse(
      reading,
      appendPointer('/links', odd),
      'only mode, max_links, max_bytes and max_total_bytes',
      others[odd],
    )
  if (mode !== undefined && mode !== 'lazy' && mode !== 'preview' && mode !== 'inline')
    return refuse(reading, '/links/mode', '"lazy", "preview" or "inline"', mode)
  const read = (name: string, value: unknown): number | undefined => {
    if (value === undefined || (Number.isSafeInteger(value) && Number(value) > 0))
      return value === undefined ? undefined : Number(value)
    return refuse(reading, `/links/${name}`, 'a whole number above 0', value)
  }
  const maxLinks = read('max_links', max_links)
  const maxBytes = read('max_bytes', max_bytes)
  const maxTotalBytes = read('max_total_bytes', max_total_bytes)
  return {
    ...(mode !== undefined && { mode }),
    ...(maxLinks !== undefined && { maxLinks }),
    ...(maxBytes !== undefined && { maxBytes }),
    ...(maxTotalBytes !== undefined && { maxTotalBytes }),
  }
}

function readMilliseconds(
  entry: JsonObject,
  field: string,
  reading: ServersReading,
): number | undefined {
  const value = entry[field]
  if (value === undefined) return undefined
  return typeof value === 'number' && value > 0
    ? value
    : refuse(reading, `/${field}`, 'a number of milliseconds', value)
}

function expand(
  text: string,
  path: string,
  { at: server, environment, problems }: ServersReading,
): string {
  const { expanded, unset } = expandVariables(text, environment)
  for (const name of unset)
    problems.push({
      path: `${server}${path}`,
      message: `The variable ${name} is not set; set it, or write \${${name}:-default}.`,
      code: 'unset-variable',
    })
  return expanded
}

function refuse(
  { at: server, problems }: ServersReading,
  path: string,
  expected: string,
  got: unknown,
): undefined {
  problems.push(malformed(`${server}${path}`, expected, got))
  return undefined
}

function malformed(path: string, expected: string, value: unknown): BridgeProblem {
  const got = describeValue(value)
  return {
    path,
    message: `expected ${expected}, got ${got}`,
    expected,
    got,
    code: 'malformed-server',
  }
}

/** A text in which variables were replaced. */
interface Expanded {
  /** The text; a variable without a value or default stays unchanged in it. */
  expanded: string
  /** Names of variables without a value or default. */
  unset: readonly string[]
}

const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g

/** Returns the names of the variables in a text, written `${NAME}` or `${NAME:-default}`. */
export function findVariables(text: string): readonly string[] {
  requireArguments('findVariables(text)', [text, 'string'])
  return [...text.matchAll(VARIABLE)].map(([, name = '']) => name)
}

/** Replaces `${NAME}` and `${NAME:-default}` by their values. Variables inside of values are not replaced. */
export function expandVariables(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): Expanded {
  requireArguments('expandVariables(text, environment)', [text, 'string'], [environment, 'object'])
  const unset: string[] = []
  const expanded = text.replaceAll(
    VARIABLE,
    (whole, name: string, fallback: string | undefined) => {
      const value = (Object.hasOwn(environment, name) ? environment[name] : undefined) ?? fallback
      if (value === undefined) unset.push(name)
      return value ?? whole
    },
  )
  return { expanded, unset }
}
