import { findHostProfile, type ResultsForm } from '@toolblocks/mcp-bridge/server'
import type { SharedOptions } from '../../terminal/command-context.ts'
import type { ServerConfiguration } from '../../workspace/configuration/server-schema.ts'
import type { HostName } from '../hosts/mcp-hosts.ts'

/** The options of `toolblocks serve --server`. */
export interface TypedServerOptions {
  /** An address, a command line, or `NAME=` before one of them. */
  server?: readonly string[]
  protocolVersion?: NonNullable<ServerConfiguration['protocol_version']>
  /** Headers for servers over HTTP: `Name: value`, with variables such as `${TOKEN}`. */
  header?: readonly string[]
  /** Variables of the environment that servers which are programs receive: `NAME`, or `NAME=VALUE`. */
  env?: readonly string[]
  /** Seconds of one call. */
  timeout?: number
  /** Seconds that lists wait for servers that are still starting. Default: 5. */
  startWait?: number
  /** `TOOL=POLICY`. */
  policy?: readonly string[]
  /** `TOOL=PATH`: a part of the tool's results that the client gets. */
  select?: readonly string[]
  /** `TOOL.ARGUMENT=VALUE`: JSON, or a text. */
  fix?: readonly string[]
  /** `TOOL.ARGUMENT`. */
  hide?: readonly string[]
  /** `TOOL=NAME`. */
  rename?: readonly string[]
  /** `TOOL=TEXT`. */
  describe?: readonly string[]
  /** `false` with `--no-pin`. */
  pin?: boolean
  /** Whether all clients use one connection to each server; `false` with `--no-share`. */
  share?: boolean
  /** Whether changed definitions are accepted. */
  accept?: boolean
  /** Maximum characters of a result; `Infinity`: no limit. */
  maxResult?: number
  /** The number of tools above which they are found with `search_tools`; `Infinity`: never. */
  deferAbove?: number
  /** `false` with `--no-record`. */
  record?: boolean
  /** Whether probable secrets are removed from what is recorded. */
  maskSecrets?: boolean
}

/** The options of `toolblocks serve`. */
export interface ServeCommandOptions extends SharedOptions, TypedServerOptions {
  /** The port. Default: standard input and output, without HTTP. */
  http?: number
  /** The address to listen at. Default: the loopback address. */
  host?: string
  /** Further host names under which clients may connect. */
  allowHost?: readonly string[]
  /** The address under which clients reach the service, through a proxy. */
  publicUrl?: string
  /** The addresses and networks of proxies that may name the addresses of clients. */
  trustedProxy?: readonly string[]
  /** Whether people who sign in read the record, and answer questions, at `/pages/`. */
  pages?: boolean
  /** The environment variable with the token that clients must send. Default: a new token, which is printed. */
  tokenEnv?: string
  /** The address at which other processes that serve the same store reach this one. All of them answer the requests of every session. */
  replicaAddress?: string
  /** Seconds in which running calls may end after the process is asked to end. Default: 5. */
  drain?: number
  /** `host`: known hosts get results in a form that their models receive completely; the name of a host: all clients get that of this host; or `as-is`. Default: `host`. */
  results?: string
  /** Whether questions and approvals wait in the store. Default: those of clients that cannot ask their users. */
  park?: boolean
  /** Seconds after which a request gets an answer although its call continues; `Infinity`: never. Default: by the host of the client. */
  answerWithin?: number
  /** Rules for this run, each with its effect, in the order in which they were typed. */
  rules?: readonly string[]
  /** Whether the client approves calls, without a question to the user. */
  trustClient?: boolean
  /** The MCP host whose file receives the entry. No server is started. */
  install?: HostName
  /** The MCP host from whose file the entry is removed. No server is started. */
  uninstall?: HostName
  /** The name of the server in the host. */
  name?: string
  /** Whether `install` and `uninstall` write without a question. */
  yes?: boolean
  /** Whether clients can read the metrics at `/metrics`. */
  metrics?: boolean
  /** Whether each request is a line of JSON on standard error. */
  log?: 'json'
}

/** Returns the words of the command line that name the servers, for the entry of a host. */
export function getServerWords({
  server = [],
  protocolVersion,
  header = [],
  env = [],
  timeout,
  startWait,
  policy = [],
  select = [],
  fix = [],
  hide = [],
  rename = [],
  describe = [],
  pin,
  record,
  maskSecrets,
  maxResult,
  deferAbove,
}: TypedServerOptions): readonly string[] {
  if (server.length === 0) return []
  return [
    ...repeat('--server', server),
    ...repeat('--header', header),
    ...repeat('--env', env),
    ...repeat('--policy', policy),
    ...repeat('--select', select),
    ...repeat('--fix', fix),
    ...repeat('--hide', hide),
    ...repeat('--rename', rename),
    ...repeat('--describe', describe),
    ...(protocolVersion === undefined ? [] : ['--protocol-version', protocolVersion]),
    ...(timeout === undefined ? [] : ['--timeout', String(timeout)]),
    ...(startWait === undefined ? [] : ['--start-wait', String(startWait)]),
    ...(maxResult === undefined ? [] : ['--max-result', formatCount(maxResult)]),
    ...(deferAbove === undefined ? [] : ['--defer-above', formatCount(deferAbove)]),
    ...(pin === false ? ['--no-pin'] : []),
    ...(record === false ? ['--no-record'] : []),
    ...(maskSecrets ? ['--mask-secrets'] : []),
  ]
}

/** Returns the words of the command line that are rules, for the entry of a host. */
export function getRuleWords({
  rules = [],
}: Pick<ServeCommandOptions, 'rules'>): readonly string[] {
  return rules.flatMap((text) => {
    const [, effect, calls = ''] = /^(\w+) ([^]*)$/.exec(text) ?? []
    return [`--${effect}-tool`, calls]
  })
}

/** Options that only have a meaning with `--server`. */
const OF_SERVERS = [
  'protocolVersion',
  'header',
  'env',
  'timeout',
  'policy',
  'select',
  'fix',
  'hide',
  'rename',
  'describe',
  'accept',
  'maskSecrets',
] as const

/** Returns what is wrong with the combination of options; `undefined` if nothing is. */
export function findMisplaced(
  programs: readonly string[],
  options: TypedServerOptions & ReplicaCommandOptions & { config?: string; park?: boolean },
): string | undefined {
  const replica = findMisplacedReplica(options)
  if (replica !== undefined) return replica
  if (options.park && options.record === false)
    return '--park cannot be combined with --no-record: without a record, no question can wait'
  if (options.share !== undefined && (options.server === undefined || options.http === undefined))
    return `--${options.share ? '' : 'no-'}share needs --server and --http: only clients over HTTP can share a connection`
  if (options.server !== undefined)
    return programs.length > 0 || options.config !== undefined
      ? '--server cannot be combined with programs or --config'
      : options.record === false && options.maskSecrets
        ? '--mask-secrets cannot be combined with --no-record'
        : undefined
  const option = OF_SERVERS.find((name) => options[name] !== undefined)
  if (option !== undefined)
    return `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} needs --server`
  if (options.pin === false) return '--no-pin needs --server'
  return options.record === false ? '--no-record needs --server' : undefined
}

type ReplicaCommandOptions = Pick<
  ServeCommandOptions,
  'http' | 'replicaAddress' | 'drain' | 'publicUrl' | 'trustedProxy' | 'pages'
>

function findMisplacedReplica({
  http,
  replicaAddress,
  drain,
  publicUrl,
  trustedProxy,
  pages,
}: ReplicaCommandOptions): string | undefined {
  if (pages && http === undefined)
    return '--pages needs --http: over standard input and output there are no pages'
  if (drain !== undefined && http === undefined)
    return '--drain needs --http: over standard input and output the client ends the server'
  if (publicUrl !== undefined && http === undefined)
    return '--public-url needs --http: over standard input and output no address is used'
  if (trustedProxy !== undefined && http === undefined)
    return '--trusted-proxy needs --http: over standard input and output there is no proxy'
  const address = publicUrl === undefined ? undefined : URL.parse(publicUrl)
  if (
    address === null ||
    (address && (!/^https?:$/.test(address.protocol) || address.pathname !== '/'))
  )
    return `--public-url ${publicUrl}: expected an address without a path, such as https://tools.example.com`
  if (replicaAddress === undefined) return undefined
  if (http === undefined)
    return '--replica-address needs --http: only clients over HTTP reach several replicas'
  const url = URL.parse(replicaAddress)
  if (url?.protocol !== 'http:' || url.pathname !== '/')
    return `--replica-address ${replicaAddress}: expected the address of this process itself, with http and without a path, such as http://10.0.0.5:8080`
  return undefined
}

/** Writes a number as the command line reads it. */
function formatCount(count: number): string {
  return count === Infinity ? 'all' : String(count)
}

function repeat(option: string, values: readonly string[]): readonly string[] {
  return values.flatMap((value) => [option, value])
}

/** Returns the form of results that `--results` means, or `undefined` for an unknown name. */
export function readResultsForm(name = 'host'): ResultsForm | undefined {
  return name === 'host' || name === 'as-is' ? name : findHostProfile({ name })
}
