import { isDeepStrictEqual } from 'node:util'
import type { CommandContext } from '../../terminal/command-context.ts'
import { waitAtTerminal } from '../../workspace/locks/wait-at-terminal.ts'
import { changeHostFile, findHostFile, type HostPlan } from './change-host-file.ts'
import { discoverServers } from './discover-servers.ts'
import {
  type DirectStart,
  getOnlyServer,
  getServers,
  isServer,
  readDirectStart,
  readGatewayStart,
  type ServerStart,
  servesSame,
  formatHostEntry,
} from './gateway-entry.ts'
import {
  type HostChange,
  type HostEntry,
  type HostServer,
  readEntrySource,
  readHostFile,
} from './host-file.ts'
import { getUserPlaces, type HostName, MCP_HOSTS } from './mcp-hosts.ts'
import { openReplacedEntries } from './replaced-entries.ts'
import { isAddress, nameSecrets } from './secret-words.ts'
import { describePlace, formatName, refuseName } from './server-name.ts'

/** What is installed or removed, and in which host. */
export interface InstalledEntry {
  host: HostName
  entry: HostEntry
  /** The programs that are served. */
  programs: readonly string[]
  /** Whether the person chose the name. */
  isNamed: boolean
  /** Whether no question is asked. */
  yes?: boolean
}

/**
 * Writes the entry into the host's file, after a person has seen the change and agreed. An entry that starts the same server directly is replaced
 * by it, and one of the gateway gets its options.
 */
export async function installEntry(
  context: CommandContext,
  installed: InstalledEntry,
): Promise<number> {
  const { host, entry, isNamed, yes = false } = installed
  const refused = refuseName(context.terminal, entry.name)
  if (refused !== undefined) return refused
  const { title } = MCP_HOSTS[host]
  const file = findHostFile(host)
  const kept = openReplacedEntries(file, waitAtTerminal(context))
  const next = `Restart ${title} to use it. --uninstall ${host} after the same words takes it back.`
  const makePlan = (servers: readonly HostServer[], text: string): HostPlan => {
    const direct = findDirect(context, entry, servers)
    const ofUser = servers.filter(({ project }) => project === undefined)
    const taken = ofUser.find(({ name }) => name === entry.name)
    const gateways = ofUser.filter(
      (each) => (!isNamed || each === taken) && servesSame(each.entry, entry, installed.programs),
    )
    if (direct.length === 0) {
      const [gateway] = gateways
      if (taken && !gateway) return refuseTaken(entry.name)
      const { name } = gateway ?? entry
      const written = formatHostEntry(host, entry, gateway && readGatewayStart(gateway.entry))
      return isDeepStrictEqual(gateway?.entry, written)
        ? { kind: 'unchanged', message: `${title} has ${formatName(name)} already, in ${file}.` }
        : {
            kind: 'changed',
            changes: [{ name, entry: written }],
            message: `Wrote ${formatName(name)} to ${file}. ${next}`,
          }
    }
    const [only, ...others] = direct.filter(({ server }) => server.project === undefined)
    // The rules of a host name the server, so it keeps its name.
    const isRenamed = isNamed && only !== undefined && others.length === 0
    if (isRenamed && taken && taken !== only.server && gateways.length === 0)
      return refuseTaken(entry.name)
    const replaced = direct.map(({ server, start }) => ({
      server,
      name: isRenamed && server === only.server ? entry.name : server.name,
      start,
      gateway: formatHostEntry(host, entry, start),
    }))
    const names = replaced.map(({ name }) => name)
    const removed = [
      ...direct
        .filter(({ server }) => isRenamed && server === only.server)
        .map(({ server }) => server),
      ...(only ? gateways : []),
    ].filter(({ name }) => !names.includes(name))
    const changes: readonly HostChange[] = [
      ...removed.map(({ name }) => ({ name })),
      ...replaced.map(({ server: { project }, name, gateway }) => ({
        name,
        ...(project !== undefined && { project }),
        entry: gateway,
      })),
    ]
    return {
      kind: 'changed',
      changes,
      prepare: async () => {
        for (const { name, server, start, gateway } of replaced) {
          const source = readEntrySource(host, text, server)
          await kept.remember({
            name,
            ...(server.project !== undefined && { project: server.project }),
            earlierName: server.name,
            entry: start.entry,
            ...(source !== undefined && { source }),
            gateway,
          })
        }
      },
      message: `Replaced ${direct.map(({ server }) => describePlace(server)).join(' and ')}, which started the server directly, in ${file}. ${next}`,
    }
  }
  const code = await changeHostFile(context, { host, yes }, makePlan)
  if (code === 0) {
    reportSecrets(context, installed)
    reportDirect(context, installed)
  }
  return code
}

function refuseTaken(name: string): HostPlan {
  const message = `it already has another server ${JSON.stringify(name)}; remove that server, or choose another name with --name`
  return { kind: 'refused', message }
}

/** Finds the entries that start the only server of the gateway directly. */
function findDirect(
  { folder }: Pick<CommandContext, 'folder'>,
  entry: Pick<HostEntry, 'args'>,
  servers: readonly HostServer[],
): readonly { server: HostServer; start: DirectStart }[] {
  const address = getOnlyServer(entry)
  if (address === undefined) return []
  const { home } = getUserPlaces()
  return servers.flatMap((server) => {
    const start = readDirectStart(server, address, { home, folder })
    return start ? [{ server, start }] : []
  })
}

/** Finds how the host starts a server now, directly or through the gateway: the server may need these variables and headers to start. */
export function findPresentStart(
  context: Pick<CommandContext, 'folder'>,
  host: HostName,
  address: string,
): ServerStart | undefined {
  const read = readHostFile(host, findHostFile(host))
  if (!read.ok) return undefined
  const entry = { args: ['main.js', 'serve', '--server', address] }
  const [direct] = findDirect(context, entry, read.servers)
  const gateway = read.servers.find((server) => servesSame(server.entry, entry, []))
  return direct?.start ?? (gateway && readGatewayStart(gateway.entry))
}

/** Names the probable secrets that were typed as options: other users of the machine can read the arguments of a program. */
function reportSecrets({ terminal }: CommandContext, { host, entry }: InstalledEntry): void {
  const names = new Set(nameSecrets(entry.args.filter((word) => !isReference(word))))
  if (names.size === 0) return
  terminal.report(
    'warning',
    `${findHostFile(host)} has the value of ${[...names].join(' and ')} as ${names.size === 1 ? 'an argument' : 'arguments'}, which other users of this machine can read while the server runs. Write --env NAME, or --header 'Name: \${VARIABLE}', and set the variable under "env" of the entry`,
  )
}

/** Whether a word is a header with the value of a variable. */
function isReference(word: string): boolean {
  return /^[\w-]+:[^]*\$\{/.test(word) && !isAddress(word)
}

/** Names entries of other files, and of gateways with several servers, that start a served server directly: they are not changed. */
function reportDirect({ terminal, folder }: CommandContext, { host, entry }: InstalledEntry): void {
  for (const { table, places } of discoverServers(getUserPlaces(), folder, [host]).servers) {
    if (!getServers(entry).some((address) => isServer({ table }, address, folder))) continue
    for (const { file, isDisabled, ...server } of places)
      if (!isDisabled)
        terminal.report(
          'warning',
          `${file}: ${describePlace(server)} starts the same server directly. Remove it there, otherwise the model also calls the server without Toolblocks`,
        )
  }
}
