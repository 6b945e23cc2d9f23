import type { ToolPolicy } from '@toolblocks/tool-executor'
import { readVariables } from '../options/read-variables.ts'
import { TYPED_SERVERS, type WrittenServer } from '../../workspace/servers/written-servers.ts'
import { nameServer, readTransport, splitName } from '../../workspace/servers/server-address.ts'
import type { TypedServerOptions } from './serve-options.ts'

/** The time limit of a call. Clients have limits of their own, and a call may continue after them. */
const CALL_SECONDS = 3600

/** Reads `NAME=ADDRESS`, an address or a command line. One server keeps the names of its tools. */
export function readTypedServers(
  typed: readonly string[],
  folder: string,
  {
    pin,
    share,
    protocolVersion,
    header = [],
    env = [],
    timeout,
  }: Omit<TypedServerOptions, 'server'>,
): { ok: true; servers: readonly WrittenServer[] } | { ok: false; message: string } {
  const servers: WrittenServer[] = []
  const headers = readHeaders(header)
  if (!headers.ok) return headers
  const variables = readVariables(env)
  if (!variables.ok) return variables
  for (const text of typed) {
    const { name: typedName, address } = splitName(text)
    const transport = readTransport(address)
    if (!transport.ok) return transport
    const name = typedName ?? nameServer(address, folder)
    if (servers.some((server) => server.name === name))
      return {
        ok: false,
        message: `--server: two servers are named ${JSON.stringify(name)}; write NAME=ADDRESS`,
      }
    servers.push({
      name,
      file: TYPED_SERVERS,
      own: {
        run: 'unattended',
        ...(pin !== undefined && { pin }),
        ...(share !== undefined && { share }),
      },
      ...(typed.length === 1 && { toolNames: 'own' as const }),
      tools: {},
      waiting: [],
      table: {
        ...transport.table,
        ...('url' in transport.table &&
          Object.keys(headers.headers).length > 0 && { headers: headers.headers }),
        ...('command' in transport.table && env.length > 0 && { env: variables.env }),
        protocol_version: protocolVersion ?? ('url' in transport.table ? 'auto' : '2025-11-25'),
        timeout_ms: (timeout ?? CALL_SECONDS) * 1000,
      },
    })
  }
  return { ok: true, servers }
}

function readHeaders(
  typed: readonly string[],
): { ok: true; headers: Readonly<Record<string, string>> } | { ok: false; message: string } {
  const headers: [string, string][] = []
  for (const text of typed) {
    const { name, value } =
      /^(?<name>[!#$%&'*+.^_`|~\w-]+):\s*(?<value>.*)$/.exec(text)?.groups ?? {}
    if (name === undefined || value === undefined)
      return { ok: false, message: `--header ${JSON.stringify(text)}: expected "Name: value"` }
    headers.push([name, value])
  }
  return { ok: true, headers: Object.fromEntries(headers) }
}

const POLICIES: readonly ToolPolicy[] = ['ask', 'unattended', 'deny', 'skip']

export function readPolicies(
  typed: readonly string[],
): { ok: true; policies: ReadonlyMap<string, ToolPolicy> } | { ok: false; message: string } {
  const policies = new Map<string, ToolPolicy>()
  for (const text of typed) {
    const separator = text.lastIndexOf('=')
    const policy = POLICIES.find((each) => each === text.slice(separator + 1))
    if (separator < 1 || policy === undefined)
      return {
        ok: false,
        message: `--policy ${JSON.stringify(text)}: expected TOOL=POLICY, with one of ${POLICIES.join(', ')}`,
      }
    policies.set(text.slice(0, separator), policy)
  }
  return { ok: true, policies }
}
