import type { SafeHtml } from '@toolblocks/protocol'
import { pageLine } from '../page-text.ts'
import { markup, joinHtml } from '../safe-html.ts'

/** What something is called, and what else is known of it. */
export function writeFacts({ name, facts }: { name: string; facts: readonly string[] }): SafeHtml {
  return writeNamed(pageLine(name), facts)
}

/** The same, where the name leads somewhere. */
export function writeNamed(name: SafeHtml, facts: readonly string[]): SafeHtml {
  const known = joinHtml(facts.map(pageLine), markup` · `)
  const rest = facts.length === 0 ? markup`` : markup` <span class="tb-facts">${known}</span>`
  return markup`<p class="tb-named"><strong>${name}</strong>${rest}</p>`
}
