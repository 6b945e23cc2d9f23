import { readFileSync } from 'node:fs'

/** A file or folder of the package, from the sources and from the built command. */
export function ownFile(name: string): URL {
  return new URL(`../${name}`, import.meta.url)
}

/** What the command says of itself in its manifest; nothing is loaded for it, and any Node can read it. */
export function readOwnPackage(): { version: string; node: string } {
  const { version, engines } = JSON.parse(readFileSync(ownFile('package.json'), 'utf8'))
  return { version, node: engines.node.replace('>=', '') }
}
