import { readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** Reads a path as a person types it: in quotes, with `\` before a space, from `~` on. */
export function readTypedPath(typed: string): string {
  const [, , quoted] = /^(["'])(.*)\1$/.exec(typed.trim()) ?? []
  return fromHome(quoted ?? typed.trim().replaceAll(/\\(.)/g, '$1'))
}

/** Completes such a path, for what completes lines: what it may become, and what is replaced. */
export function completeTypedPath(typed: string, root: string): [string[], string] {
  const [, quote = '', rest = ''] = /^(["']?)(.*)$/.exec(typed) ?? []
  const path = quote === '' ? rest.replaceAll(/\\(.)/g, '$1') : rest
  const cut = path.lastIndexOf('/') + 1
  const [folder, begun] = [path.slice(0, cut), path.slice(cut)]
  try {
    const names = readdirSync(resolve(root, fromHome(folder)), { withFileTypes: true })
    const found = names
      .filter(({ name }) => name.startsWith(begun) && (begun !== '' || !name.startsWith('.')))
      .map((each) => ({ name: folder + each.name, end: each.isDirectory() ? '/' : quote }))
    const write = (name: string): string =>
      quote === '' ? name.replaceAll(/[\s\\'"]/g, '\\$&') : quote + name
    return [found.map(({ name, end }) => write(name) + end), typed]
  } catch {
    return [[], typed]
  }
}

function fromHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path
}
