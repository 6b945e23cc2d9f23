import type { OnTurnEvent } from '@toolblocks/agent'
import { sanitizeTerminalLine } from '@toolblocks/renderer'
import { findCallResult, getCallKey } from './call-results.ts'
import type { OnDenied } from './create-approver.ts'
import { describeRulePlace, describeVerdict, type RuleDecision } from './rule-sources.ts'
import type { CommandContext } from '../../terminal/command-context.ts'

/** The rules that have denied calls, for the person at the terminal. A model, which could end them, does not get this. */
export interface DescribedDenials {
  onDenied: OnDenied
  /** Shows what was not shown yet. */
  showAll(): void
  /** Wraps a listener so that the place of the rule follows the result of each call that it denied. */
  after(show: OnTurnEvent): OnTurnEvent
}

/** Shows a person, after the result of a call that a rule denies, where this rule is or how it is ended. The result names the rule. */
export function describeDenials({
  terminal,
  command,
}: Pick<CommandContext, 'terminal' | 'command'>): DescribedDenials {
  const denials = new Map<string, RuleDecision>()

  function showOne(key: string): void {
    const denial = denials.get(key)
    denials.delete(key)
    const rulePlace = denial && describeRulePlace(denial, command)
    // A command that is cut cannot be typed.
    if (rulePlace !== undefined)
      terminal.note(sanitizeTerminalLine(rulePlace, { maxLength: Infinity }))
  }

  return {
    onDenied: ({ id }, denial, agents) => void denials.set(getCallKey(agents, id), denial),
    showAll: () => [...denials.keys()].forEach(showOne),
    after: (show) => async (moment) => {
      await show(moment)
      const result = findCallResult(moment)
      if (result?.isDenied) showOne(result.key)
    },
  }
}

/**
 * Warns the person who reads the output of a service about each rule that denies a call, once for each rule: where it is and how it is ended. The
 * client and its model do not get this.
 */
export function warnOfDenials(warn: (message: string) => void, command: string): OnDenied {
  const described = new Set<string>()
  return ({ name }, denial) => {
    const verdict = describeVerdict(denial, command)
    if (described.has(verdict)) return
    described.add(verdict)
    warn(`a call of ${name} was denied by ${verdict}`)
  }
}
