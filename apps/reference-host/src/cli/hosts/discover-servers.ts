import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ConfigurationProblem } from '../../workspace/configuration/configuration.ts'
import { orderedJson } from '../../workspace/files/hash-json.ts'
import { findRealPath, isInFolder } from '../../workspace/files/real-path.ts'
import { readHostFile } from './host-file.ts'
import { HOST_NAMES, type HostName, MCP_HOSTS, type UserPlaces } from './mcp-hosts.ts'
import { readHostServer } from './read-host-server.ts'
import { formatName } from './server-name.ts'
import type { ServerTable } from '../../workspace/servers/mask-server.ts'

/** A place in which a host has a server. */
export interface ServerPlace {
  host: HostName
  file: string
  /** The name of the server in this file. */
  name: string
  /** The folder of the project to which the server belongs. Absent: the host has it in every project. */
  project?: string
  /** Whether the host does not start it. */
  isDisabled: boolean
}

/** A server of other hosts of this machine. */
export interface DiscoveredServer {
  name: string
  table: ServerTable
  /** Where hosts have the same server, at least one place. */
  places: readonly ServerPlace[]
}

/** The servers that were found, and files and entries that were not read. */
export interface DiscoveredServers {
  servers: readonly DiscoveredServer[]
  warnings: readonly ConfigurationProblem[]
}

/** Reads the files of other hosts: those of the user, and those of the project in `folder`. It starts and contacts nothing. */
export function discoverServers(
  places: UserPlaces,
  folder: string,
  hosts: readonly HostName[] = HOST_NAMES,
): DiscoveredServers {
  const servers = new Map<string, { name: string; table: ServerTable; places: ServerPlace[] }>()
  const warnings: ConfigurationProblem[] = []
  const seen = new Set<string>()
  for (const { host, file, project } of listFiles(places, folder, hosts)) {
    const real = findRealPath(file)
    if (!existsSync(file) || real === undefined || seen.has(`${host} ${real}`)) continue
    if (project !== undefined && !isInFolder(real, findRealPath(project) ?? project)) {
      const message = 'it is a link to a file outside of the project; the file is ignored'
      warnings.push({ file, key: '', message })
      continue
    }
    seen.add(`${host} ${real}`)
    const read = readHostFile(host, file)
    if (!read.ok) {
      warnings.push({ file, key: '', message: `${read.message}; the file is ignored` })
      continue
    }
    for (const hostServer of read.servers) {
      const own = hostServer.project ?? project
      const server = readHostServer(hostServer.entry, { home: places.home, project: own ?? folder })
      if (!server.ok) {
        const key = `${MCP_HOSTS[host].key}.${formatName(hostServer.name)}`
        warnings.push({ file, key, message: `${server.message}; the server is ignored` })
        continue
      }
      const { table, isDisabled } = server
      const location = {
        host,
        file,
        name: hostServer.name,
        ...(own !== undefined && { project: own }),
        isDisabled,
      }
      const key = orderedJson(normalize(table))
      const same = servers.get(key)
      if (same) same.places.push(location)
      else servers.set(key, { name: hostServer.name, table, places: [location] })
    }
  }
  return { servers: [...servers.values()], warnings }
}

/** Lists the files of the project first, because hosts prefer them. */
function listFiles(
  places: UserPlaces,
  folder: string,
  hosts: readonly HostName[],
): readonly { host: HostName; file: string; project?: string }[] {
  const ofProject = hosts.flatMap((host) => {
    const { projectFile } = MCP_HOSTS[host]
    return projectFile === undefined
      ? []
      : [{ host, file: join(folder, projectFile), project: folder }]
  })
  const ofUser = hosts.map((host) => ({ host, file: MCP_HOSTS[host].file(places) }))
  const files = ofProject.filter(({ file }) => !ofUser.some((user) => user.file === file))
  return [...files, ...ofUser]
}

/** Names of headers have no case, and an address can be written in several ways. */
function normalize({ url, headers, ...rest }: ServerTable): object {
  return {
    ...rest,
    ...(url !== undefined && { url: (URL.parse(url)?.href ?? url).replace(/\/$/, '') }),
    ...(headers && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      ),
    }),
  }
}
