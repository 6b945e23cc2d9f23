/** Behind the name of a server in the name of its tool. */
const SEPARATOR = '__'
/** Names that stand in the names of tools as they are. */
const PLAIN = /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/
const LONGEST_PLAIN = 32

/** Those of some servers that can have a tool of that name: the one it begins with, else all whose name had to be changed. */
export function serversOfTool(tool: string, servers: readonly string[]): readonly string[] {
  if (!tool.includes(SEPARATOR)) return []
  const named = servers.filter(
    (server) => isPlain(server) && tool.startsWith(`${server}${SEPARATOR}`),
  )
  return named.length > 0 ? named : servers.filter((server) => !isPlain(server))
}

/** Whether the name of a tool says in full which server is meant. */
export function isPlain(server: string): boolean {
  return PLAIN.test(server) && server.length <= LONGEST_PLAIN
}
