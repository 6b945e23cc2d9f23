import { createHash } from 'node:crypto'

/** What providers of models take as the name of a tool. */
const MAX_NAME = 64
const SEPARATOR = '__'
const HASH_LENGTH = 6

/**
 * Names a server's tools for a model: `server__tool`, of letters, digits, `_` and `-`, at most 64 characters. A name that had to be
 * shortened, or that only case or odd characters tell from another, ends in a hash of what it stands for: the same for the same
 * tool, whatever else is in the list. Names of different servers never meet, as a server's part has no `__`.
 */
export function nameTools(server: string, tools: readonly string[]): ReadonlyMap<string, string> {
  const prefix = `${serverPart(server)}${SEPARATOR}`
  const plain = tools.map((tool) => ({ tool, name: `${prefix}${slug(tool)}` }))
  const uses = new Map<string, number>()
  for (const { name } of plain) uses.set(fold(name), (uses.get(fold(name)) ?? 0) + 1)
  return new Map(
    plain.map(({ tool, name }) => {
      const isExact = name === `${prefix}${tool}`
      const isAlone = uses.get(fold(name)) === 1
      const fits = name.length <= MAX_NAME && tool !== '' && (isAlone || (isExact && !plain.some((other) => isExactTwin(other, tool, prefix))))
      return [tool, fits ? name : withHash(name, tool, MAX_NAME)]
    }),
  )
}

/** Whether another tool keeps its name as it is, too: then neither may. */
function isExactTwin(other: { tool: string; name: string }, tool: string, prefix: string): boolean {
  return other.tool !== tool && fold(other.name) === fold(`${prefix}${tool}`) && other.name === `${prefix}${other.tool}`
}

function serverPart(server: string): string {
  const part = slug(server).replaceAll(/_{2,}/g, '_').replaceAll(/^_+|_+$/g, '')
  const longest = MAX_NAME / 2
  return part === server && part !== '' && part.length <= longest ? part : withHash(part, server, longest)
}

function slug(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/gu, '_')
}

function fold(name: string): string {
  return name.toLowerCase()
}

function withHash(name: string, of: string, longest: number): string {
  const hash = createHash('sha256').update(of).digest('hex').slice(0, HASH_LENGTH)
  return `${name.slice(0, longest - HASH_LENGTH - 1)}_${hash}`
}
