import { readFileSync } from 'node:fs'

/** A file or folder of the package, from the sources and from the built command. */
export function ownFile(name: string): URL {
  const root = import.meta.url.endsWith('.ts') ? '../..' : '..'
  return new URL(`${root}/${name}`, import.meta.url)
}

/** What the command says of itself in its manifest; nothing is loaded for it, and any Node can read it. */
export function readOwnPackage(): { version: string; node: string } {
  const { version, engines } = JSON.parse(readFileSync(ownFile('package.json'), 'utf8'))
  return { version, node: engines.node.replace('>=', '') }
}

/** Whether a version such as `22.17.1` comes before another such as `22.18`. */
export function isOlder(version: string, than: string): boolean {
  const have = version.split('.').map(Number)
  const want = than.split('.').map(Number)
  const place = want.findIndex((part, index) => part !== (have[index] ?? 0))
  return place !== -1 && (have[place] ?? 0) < (want[place] ?? 0)
}
