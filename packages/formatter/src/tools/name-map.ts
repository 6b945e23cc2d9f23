import { createClaims, fitsRule, type NameRule } from './claim-names.ts'

/** Names and what a provider calls them, both ways. */
export interface NameMap {
  /** What the provider calls it. */
  to(name: string): string
  /** What it is called here; a name that the provider was never told stays as it is. */
  from(name: string): string
}

/** Maps names to a provider's. Those that it takes stay; the order in which they come does not matter. */
export function createNameMap(names: Iterable<string>, rule: NameRule): NameMap {
  const claim = createClaims(rule)
  const [kept, changed] = [new Array<string>(), new Array<string>()]
  for (const name of new Set(names)) (fitsRule(name, rule) ? kept : changed).push(name)
  const to = new Map([...kept, ...changed.toSorted()].map((name) => [name, claim(name)]))
  const from = new Map([...to].map(([name, theirs]) => [theirs, name]))
  return { to: (name) => to.get(name) ?? name, from: (name) => from.get(name) ?? name }
}
