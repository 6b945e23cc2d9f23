import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { isDeepStrictEqual } from 'node:util'
import type { ServerTable } from '../../workspace/servers/mask-server.ts'
import { readServerAddress } from '../../workspace/servers/server-address.ts'
import { resolveWords } from '../../workspace/servers/command-words.ts'
import type { HostEntry, HostServer } from './host-file.ts'
import { type HostName, MCP_HOSTS } from './mcp-hosts.ts'
import { readOwnArgs } from './own-program.ts'
import { nameVariable, readHostServer } from './read-host-server.ts'

/** What a host's entry for `toolblocks serve` serves. */
interface Served {
  /** Returns the values of an option. */
  after(option: string): readonly string[]
  /** All arguments after `serve`. Programs are the last ones. */
  serveArgs: readonly string[]
}

/** Reads what an entry of a host serves; `undefined` if it does not start `toolblocks serve`. */
function readServed(entry: unknown): Served | undefined {
  const { command, args } = getFields(entry)
  if (typeof command !== 'string' || !Array.isArray(args)) return undefined
  const [subcommand, ...serveArgs] = readOwnArgs([command, ...args.map(String)]) ?? []
  return subcommand === 'serve' ? toServed(serveArgs) : undefined
}

/** Reads what an entry that this program has written serves. */
function readOwnEntry({ args: [, , ...serveArgs] }: Pick<HostEntry, 'args'>): Served {
  return toServed(serveArgs)
}

function toServed(serveArgs: readonly string[]): Served {
  const after: Served['after'] = (option) =>
    serveArgs.filter((_, index) => serveArgs[index - 1] === option)
  return { serveArgs, after }
}

/** Whether an entry of a host starts `toolblocks serve`. */
export function isGateway(entry: unknown): boolean {
  return readServed(entry) !== undefined
}

/** Whether an entry of a host serves the same servers, programs or configuration, with any options. */
export function servesSame(
  entry: unknown,
  wanted: Pick<HostEntry, 'args'>,
  programs: readonly string[],
): boolean {
  const other = readServed(entry)
  if (!other) return false
  const own = readOwnEntry(wanted)
  const [servers, others] = [own, other].map((each) => each.after('--server').toSorted())
  if (!isDeepStrictEqual(servers, others)) return false
  if (servers?.length !== 0) return true
  return programs.length > 0
    ? isDeepStrictEqual(
        other.serveArgs.slice(-programs.length),
        own.serveArgs.slice(-programs.length),
      )
    : isDeepStrictEqual(own.after('--config'), other.after('--config'))
}

/** Whether two entries of the gateway serve the same servers. */
export function isSameGateway(entry: JsonObject, other: JsonObject): boolean {
  const { args } = other
  return Array.isArray(args) && servesSame(entry, { args: args.map(String) }, [])
}

/** Returns the addresses and command lines of the servers that the gateway of this entry serves. */
export function getServers(entry: Pick<HostEntry, 'args'>): readonly string[] {
  return readOwnEntry(entry).after('--server')
}

/** Returns the address or command line of the only server that the gateway of this entry serves. */
export function getOnlyServer(entry: Pick<HostEntry, 'args'>): string | undefined {
  const [server, ...others] = getServers(entry)
  return others.length === 0 ? server : undefined
}

/** The folders to which paths of entries are relative. */
interface EntryFolders {
  home: string
  /** The folder of this process. */
  folder: string
}

/** What an entry sets for a server. */
export interface ServerStart {
  /** The options with which `serve` starts it in the same way. */
  options: { env: readonly string[]; header: readonly string[] }
  /** What the entry has for the host, such as limits and the environment. It stays. */
  kept: JsonObject
  /** The variables that the options name. They may refer to variables of this process: `${NAME}`. */
  variables: Readonly<Record<string, string>>
}

/** How an entry starts a server without Toolblocks. */
export interface DirectStart extends ServerStart {
  /** The entry itself. */
  entry: JsonObject
}

/** Whether a server of a host is the one that a value of `--server` names. Its environment and headers may be any. */
export function isServer(
  { table, project }: { table: ServerTable; project?: string | undefined },
  address: string,
  folder: string,
): boolean {
  const typed = readServerAddress(address)
  return (
    typed !== undefined &&
    isDeepStrictEqual(identify(typed, folder), identify(table, table.cwd ?? project ?? folder))
  )
}

/**
 * Reads how an entry starts a server directly; `undefined` if it starts another one than `address`, if it is switched off, or if its variables cannot be
 * passed on: those of a file, or with names that no option can have.
 */
export function readDirectStart(
  { entry, project }: HostServer,
  address: string,
  { home, folder }: EntryFolders,
): DirectStart | undefined {
  const read = readHostServer(entry, { home, project: project ?? folder })
  if (!read.ok || read.isDisabled || !isJsonObject(entry)) return undefined
  const { table } = read
  if (!isServer({ table, project }, address, folder)) return undefined
  const envNames = Object.keys(table.env ?? {})
  if (Object.hasOwn(entry, 'envFile') || !envNames.every((name) => /^[A-Za-z_]\w*$/.test(name)))
    return undefined
  const nested = isJsonObject(entry['command']) ? { env: entry['command']['env'] } : {}
  const { env: ownEnv, ...kept } = omitStart({ ...entry, ...nested })
  const raw = entry['headers'] ?? entry['http_headers']
  const headers = Object.entries(table.headers ?? {})
  // In the arguments, everybody on this machine could read the value of a header.
  const hidden = headers.filter(([name]) => isJsonObject(raw) && Object.hasOwn(raw, name))
  const passed = headers.filter((header) => !hidden.includes(header))
  const passedNames = passed.flatMap(([, value]) =>
    [...value.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name),
  )
  const names = nameHeaders(entry)
  const nameOf = (header: string): string => names.get(header) ?? ''
  const written = Object.fromEntries(
    hidden.map(([name]) => [nameOf(name), isJsonObject(raw) ? raw[name] : undefined]),
  )
  const environment = { ...(isJsonObject(ownEnv) ? ownEnv : {}), ...written }
  return {
    entry,
    options: {
      env: envNames,
      header: [
        ...hidden.map(([name]) => `${name}: \${${nameOf(name)}}`),
        ...passed.map(([name, value]) => `${name}: ${value}`),
      ],
    },
    kept: {
      ...kept,
      ...(Object.keys(environment).length > 0 && { env: environment }),
      ...(passedNames.length > 0 && { env_vars: passedNames }),
    },
    variables: {
      ...table.env,
      ...Object.fromEntries(hidden.map(([name, value]) => [nameOf(name), value])),
    },
  }
}

/** Names a variable for each header of an entry, which no other header or variable of the entry has. */
function nameHeaders(entry: JsonObject): ReadonlyMap<string, string> {
  const passed = [
    ...Object.values(getFields(entry['env_http_headers'])),
    entry['bearer_token_env_var'],
  ]
  const taken = new Set<unknown>([...Object.keys(getFields(entry['env'])), ...passed])
  return new Map(
    Object.keys(getFields(entry['headers'] ?? entry['http_headers'])).map((header) => {
      const first = `HEADER_${nameVariable(header)}`
      let name = first
      for (let count = 2; taken.has(name); count += 1) name = `${first}_${count}`
      taken.add(name)
      return [header, name]
    }),
  )
}

/** The fields of an entry, in the formats of all hosts, that say how the server is started or reached. Another entry has others. */
const STARTED_BY = [
  'command',
  'args',
  'url',
  'httpUrl',
  'serverUrl',
  'headers',
  'http_headers',
  'env_http_headers',
  'bearer_token_env_var',
]

/** Returns the fields of an entry that stay, however the server is started. */
function omitStart(entry: JsonObject): JsonObject {
  const isRemote = ['url', 'httpUrl', 'serverUrl'].some((field) => Object.hasOwn(entry, field))
  return Object.fromEntries(
    Object.entries(entry).filter(
      ([field]) => !STARTED_BY.includes(field) && !(isRemote && field === 'type'),
    ),
  )
}

/** Returns what an address or a command line starts or reaches. How `npx` asks about an installation is no part of it. */
function identify({ url, command, args = [] }: ServerTable, folder: string): object {
  if (url !== undefined) return { url: (URL.parse(url)?.href ?? url).replace(/\/$/, '') }
  const [program = '', ...rest] = resolveWords([command ?? '', ...args], folder)
  const isAgreed = program === 'npx' && /^(?:-y|--yes)$/.test(rest[0] ?? '')
  return { commandLine: [program, ...(isAgreed ? rest.slice(1) : rest)] }
}

/** Writes an entry in the format of a host. `start`: what the earlier entry of the same server sets for it, which stays. */
export function formatHostEntry(
  host: HostName,
  { command, args }: HostEntry,
  start?: ServerStart,
): JsonObject {
  const { before, after } = MCP_HOSTS[host]
  const typed = (option: string, separator: RegExp): readonly (string | undefined)[] =>
    args.filter((_, index) => args[index - 1] === option).map((word) => getName(word, separator))
  const env = typed('--env', /=/)
  const header = typed('--header', /:/)
  return {
    ...before,
    command,
    args: [
      ...args,
      ...(start?.options.env ?? []).flatMap((name) =>
        env.includes(getName(name, /=/)) ? [] : ['--env', name],
      ),
      ...(start?.options.header ?? []).flatMap((text) =>
        header.includes(getName(text, /:/)) ? [] : ['--header', text],
      ),
    ],
    ...after,
    ...start?.kept,
  }
}

/** Returns the name before a separator. Names of headers have no case, and equal variables in another case are rare. */
function getName(word: string, separator: RegExp): string | undefined {
  return word.split(separator)[0]?.toLowerCase()
}

/** Reads what an entry of the gateway sets for its server: other options may replace its own, but these variables and headers stay. */
export function readGatewayStart(entry: unknown): ServerStart {
  const served = readServed(entry)
  if (!served || !isJsonObject(entry))
    return { options: { env: [], header: [] }, kept: {}, variables: {} }
  const variables = Object.entries(isJsonObject(entry['env']) ? entry['env'] : {}).filter(
    (variable): variable is [string, string] => typeof variable[1] === 'string',
  )
  const isSet = (name?: string): boolean => variables.some(([each]) => each === name)
  return {
    options: {
      env: served.after('--env').filter(isSet),
      header: served
        .after('--header')
        .filter((text) => [...text.matchAll(/\$\{(\w+)\}/g)].some(([, name]) => isSet(name))),
    },
    kept: omitStart(entry),
    variables: Object.fromEntries(variables),
  }
}

/**
 * Returns the entry that started the server directly, with what was changed since in the entry of the gateway: limits, variables, and values of headers.
 * `gateway`: as it was written. `present`: as it is.
 */
export function restoreEntry(
  { entry, gateway }: { entry: JsonObject; gateway: JsonObject },
  present: JsonObject,
): JsonObject {
  const restored: Record<string, unknown> = { ...entry }
  for (const [field, value] of listChanges(omitStart(gateway), omitStart(present)))
    if (field !== 'env') change(restored, field, value)
  const variables = listChanges(getFields(gateway['env']), getFields(present['env']))
  const env = { ...getFields(entry['env']) }
  const raw = entry['headers'] === undefined ? 'http_headers' : 'headers'
  const headers = { ...getFields(entry[raw]) }
  const headerNames = nameHeaders(entry)
  for (const [name, value] of variables) {
    const header = Object.keys(headers).find((each) => headerNames.get(each) === name)
    if (header === undefined) change(env, name, value)
    else change(headers, header, value)
  }
  if (variables.length === 0) return restored
  change(restored, 'env', Object.keys(env).length > 0 ? env : undefined)
  change(restored, raw, Object.keys(headers).length > 0 ? headers : undefined)
  return restored
}

/** Lists the fields that differ, with their values in `after`; `undefined`: it has no such field. */
function listChanges(
  before: JsonObject,
  after: JsonObject,
): readonly (readonly [string, unknown])[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => !isDeepStrictEqual(before[field], after[field]))
    .map((field) => [field, after[field]] as const)
}

function change(fields: Record<string, unknown>, field: string, value: unknown): void {
  if (value === undefined) delete fields[field]
  else fields[field] = value
}

function getFields(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}
