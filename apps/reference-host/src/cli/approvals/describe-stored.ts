import type { TerminalText } from '@toolblocks/protocol'
import { formatRuleCalls } from '@toolblocks/tool-executor/internal/rules'
import type { Terminal } from '../../terminal/terminal.ts'
import { describeRoot, type StoredRule } from '../../workspace/consent/stored-rules.ts'

/** Says what a stored rule does from now on. */
export function describeStored(stored: StoredRule, terminal: Terminal): TerminalText {
  const { id, rule } = stored
  const effects = {
    allow: 'run without asking now',
    ask: 'are asked about now',
    deny: 'are denied now',
  } as const
  return terminal.style.plain(
    `Calls of ${formatRuleCalls(rule)} ${effects[rule.effect]} in ${describeRoot(stored)} (${id}).`,
  )
}
