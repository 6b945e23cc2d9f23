import type { Environment } from './environment.ts'

/** The most characters of a text that are searched. */
const MAX_SEARCHED = 64 * 1024

/** The most names in a message. */
const MAX_NAMES = 3

/** A name with an underscore, or any name behind `$` or `${`: a capital word alone is rarely a variable. */
const NAMES = /\$\{?([A-Za-z_]\w*)|(?<![\w$])([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?!\w)/g

/**
 * Returns the variables that a text names and a program did not receive, although this process has them. They may be the reason why the program
 * failed.
 */
export function findWithheld(
  text: string,
  { host, passed }: { host: Environment; passed: Environment },
): readonly string[] {
  const names = new Set<string>()
  for (const [, quoted, plain] of text.slice(-MAX_SEARCHED).matchAll(NAMES)) {
    const name = quoted ?? plain ?? ''
    if (Object.hasOwn(passed, name) || !Object.hasOwn(host, name)) continue
    names.add(name)
    if (names.size === MAX_NAMES) break
  }
  return [...names]
}

/** Says how a program that needs withheld variables gets them. */
export function explainWithheld(names: readonly string[]): string {
  const list = names.join(', ')
  const pass = `env = ${JSON.stringify(names)}`
  return names.length === 1
    ? `The output names ${list}, a variable that is set here and was not passed on. If the program needs it, add ${pass}.`
    : `The output names ${list}, variables that are set here and were not passed on. If the program needs them, add ${pass}.`
}
