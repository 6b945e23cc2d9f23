import type { TerminalText } from '@toolblocks/protocol'
import { formatRule, formatRuleCalls } from '@toolblocks/tool-executor/internal/rules'
import type { Terminal } from '../../terminal/terminal.ts'
import {
  describeVerdict,
  type PlacedRule,
  toDecision,
} from '../../workspace/consent/rule-sources.ts'
import { describeRoot, type StoredRule } from '../../workspace/consent/stored-rules.ts'
import { type CallDecider, describeDecider } from './decide-call.ts'

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

/** Says that a rule is stored which decides about no call. */
export function describeStoredWithoutEffect(stored: StoredRule, terminal: Terminal): TerminalText {
  const { id, rule } = stored
  return terminal.style.plain(
    `The rule "${formatRule(rule)}" (${id}) is stored for ${describeRoot(stored)}, but something else decides first.`,
  )
}

const WHAT_HAPPENS = {
  allow: 'still run without asking',
  unattended: 'still run without asking',
  ask: 'are still asked about',
  deny: 'are still denied',
  skip: 'are still skipped',
} as const

/** Says what happens to the calls of a tool that a stored rule is for, and what decides about them before it. */
export function describeEarlierDecider(
  decider: CallDecider,
  { rule, tool }: { rule: StoredRule['rule']; tool: string },
  where: Parameters<typeof describeDecider>[1],
): string {
  const happens = WHAT_HAPPENS[decider.decision?.verdict.effect ?? decider.run]
  const calls = formatRuleCalls({ tool, conditions: rule.conditions })
  return `calls of ${calls} ${happens}, by ${describeDecider(decider, where)}${describeRemedy(decider, rule)}`
}

/** Says how a rule decides before one of a file. Empty if something else decides. */
function describeRemedy({ decision }: CallDecider, rule: StoredRule['rule']): string {
  const { source } = decision?.placedRule ?? {}
  return source === 'configuration' || source === 'settings'
    ? `. For yours to decide, write ${JSON.stringify(formatRule(rule))} before it in that list`
    : ''
}

/** Says that a rule of a file decides about some of the calls that a stored rule is for. */
export function describeEarlierException(placedRule: PlacedRule, command: string): string {
  const { effect } = placedRule.rule
  return `some of these calls ${WHAT_HAPPENS[effect]}, by ${describeVerdict(toDecision(placedRule), command)}`
}
