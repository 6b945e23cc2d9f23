import { requireArguments } from '@toolblocks/protocol/internal'
import { createHash } from 'node:crypto'

/** The maximum length of a tool's name for model providers. */
const MAX_NAME = 64
const SEPARATOR = '__'
const HASH_LENGTH = 6

/**
 * Names a server's tools for a model: `server__tool`, of letters, digits, `_` and `-`, at most 64 characters. If a name was shortened, or differs
 * from another only by case or other characters, it ends in a hash of the original, which is stable. Names of different servers never collide,
 * because a server's part has no `__`.
 */
export function nameTools(server: string, tools: readonly string[]): ReadonlyMap<string, string> {
  requireArguments('nameTools(server, tools)', [server, 'string'], [tools, 'array'])
  const prefix = `${serverPart(server)}${SEPARATOR}`
  const plain = tools.map((tool) => ({ tool, name: `${prefix}${slug(tool)}` }))
  const alike = Map.groupBy(plain, ({ name }) => name.toLowerCase())
  const taken = new Set<string>()
  const names = new Map<string, string>()
  for (const { tool, name } of plain) {
    const rivals = (alike.get(name.toLowerCase()) ?? []).filter((other) => other.tool !== tool)
    const isExact = slug(tool) === tool
    const mayKeep =
      rivals.length === 0 || (isExact && rivals.every((rival) => slug(rival.tool) !== rival.tool))
    const preferred = mayKeep && name.length <= MAX_NAME ? name : withHash(name, tool, MAX_NAME)
    names.set(tool, findFreeName(preferred, tool, taken))
  }
  return names
}

/** Returns the server to which a tool with that name belongs, if any. Whether the server has such a tool is not checked. */
export function getServerPart(tool: string, servers: readonly string[]): string | undefined {
  requireArguments('getServerPart(tool, servers)', [tool, 'string'], [servers, 'array'])
  return servers.find((server) => tool.startsWith(`${serverPart(server)}${SEPARATOR}`))
}

/** A server can name a tool like the hashed name of another. */
function findFreeName(name: string, tool: string, taken: Set<string>): string {
  let free = name
  for (let count = 1; taken.has(free.toLowerCase()); count++)
    free = withHash(name, `${tool} ${count}`, MAX_NAME)
  taken.add(free.toLowerCase())
  return free
}

function serverPart(server: string): string {
  const longest = MAX_NAME / 2
  const part = slug(server).replaceAll(/_{2,}/g, '_').replaceAll(/^_|_$/g, '')
  return part === server && part.length <= longest ? part : withHash(part, server, longest)
}

function slug(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/gu, '_')
}

function withHash(name: string, tool: string, longest: number): string {
  const hash = createHash('sha256').update(tool).digest('hex').slice(0, HASH_LENGTH)
  return `${name.slice(0, longest - HASH_LENGTH - 1).replace(/_+$/, '')}_${hash}`.replace(/^_/, '')
}
