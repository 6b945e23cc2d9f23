import { readFileSync } from 'node:fs'

/** What the command says of itself in its manifest; nothing is loaded for it, and any Node can read it. */
export function readOwnPackage(): { version: string; node: string } {
  const file = new URL('../package.json', import.meta.url)
  const { version, engines } = JSON.parse(readFileSync(file, 'utf8'))
  return { version, node: engines.node.replace('>=', '') }
}
