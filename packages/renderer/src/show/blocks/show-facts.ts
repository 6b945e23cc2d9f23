import type { ShownPart } from '../shown-part.ts'

/** What something is called, and what is known of it: what is not known is left out. */
export function showFacts(name: string, facts: readonly (string | undefined)[]): ShownPart {
  return { kind: 'facts', name, facts: knownOf(facts) }
}

/** The facts there are. */
export function knownOf(facts: readonly (string | undefined)[]): string[] {
  return facts.flatMap((fact) => (fact === undefined || fact === '' ? [] : [fact]))
}
