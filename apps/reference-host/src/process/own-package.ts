import { readFileSync } from 'node:fs'

/** Returns the URL of a file or folder of the package, both in the sources and in the built command. */
export function ownFile(name: string): URL {
  const root = import.meta.url.endsWith('.ts') ? '../..' : '..'
  return new URL(`${root}/${name}`, import.meta.url)
}

/** Reads the version and the supported Node versions from the package's manifest. It imports no dependency and works on any Node. */
export function readOwnPackage(): { version: string; node: string } {
  const { version, engines } = JSON.parse(readFileSync(ownFile('package.json'), 'utf8'))
  return { version, node: engines.node.replace('>=', '') }
}

/** Whether a version such as `22.17.1` is lower than another such as `22.18`. */
export function isOlder(version: string, than: string): boolean {
  const have = version.split('.').map(Number)
  const want = than.split('.').map(Number)
  const position = want.findIndex((part, index) => part !== (have[index] ?? 0))
  return position !== -1 && (have[position] ?? 0) < (want[position] ?? 0)
}
