import type { TerminalText } from '@toolblocks/protocol'
import { formatRuleCalls } from '@toolblocks/tool-executor/internal/rules'
import type { Terminal } from '../../terminal/terminal.ts'
import type { StoredRule } from '../../workspace/consent/stored-rules.ts'

/** Says what a stored rule does from now on. */
export function describeStored({ id, rule, root }: StoredRule, terminal: Terminal): TerminalText {
  const effects = {
    allow: 'run without asking',
    ask: 'are asked about',
    deny: 'are denied',
  } as const
  const calls = formatRuleCalls(rule)
  return terminal.style.plain(`Calls of ${calls} now ${effects[rule.effect]} in ${root} (${id}).`)
}
