import type { ToolCall } from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { isRuleOfCall, isRuleOfTool, type Rule } from '@toolblocks/tool-executor/internal/rules'
import { type CallRules, findVerdict } from '../../workspace/consent/create-approver.ts'
import {
  describeVerdict,
  type PlacedRule,
  type RuleDecision,
} from '../../workspace/consent/rule-sources.ts'
import type { StoredRule } from '../../workspace/consent/stored-rules.ts'

/** What decides about a call: a rule, or else `run` of its tool. */
export interface CallDecider {
  run: NonNullable<ToolEntry['policy']>
  /** Whether no rule can change what `run` says. */
  isFinal: boolean
  decision?: RuleDecision
}

/** Finds what decides about a call: `run` of its tool if it is final, else the first rule that fits, else `run`. */
export function findDecider(call: ToolCall, entry: ToolEntry, rules: CallRules): CallDecider {
  const { policy: run = 'ask' } = entry
  if (run === 'deny' || run === 'skip') return { run, isFinal: true }
  const decision = findVerdict(call, { entry }, rules)
  return { run, isFinal: false, ...(decision && { decision }) }
}

/** Says to a person what decides about a call and where it is. `runPlace`: that of `run`, if a file has it. */
export function describeDecider(
  { isFinal, decision }: CallDecider,
  { command, runPlace }: { command: string; runPlace: string | undefined },
): string {
  if (decision) return describeVerdict(decision, command)
  if (isFinal)
    return `"run" of the tool, which is final${runPlace === undefined ? '' : `; it is in ${runPlace}`}`
  const where = runPlace === undefined ? '' : `, in ${runPlace}`
  return `no rule fits, so "run" of the tool decides${where}`
}

/** Finds what decides before a stored rule about the calls of a tool that the rule is for, with another effect. `undefined`: the stored rule decides. */
export function findEarlierDecider(
  { id, rule }: StoredRule,
  entry: ToolEntry,
  rules: CallRules,
): CallDecider | undefined {
  const call = createCallOfRule(rule, entry.tool.name)
  const { inputSchema: schema } = entry.shape ?? entry.tool
  if (!isRuleOfCall(rule, call, { isBelow: rules.isBelow, schema })) return undefined
  const decider = findDecider(call, entry, rules)
  const { decision } = decider
  if (!decision) return decider.isFinal && decider.run !== rule.effect ? decider : undefined
  const isOther = decision.placedRule.id !== id && decision.verdict.effect !== rule.effect
  return isOther ? decider : undefined
}

/** Creates the call of a tool that has exactly the arguments which a rule names. */
function createCallOfRule({ conditions }: Rule, name: string): ToolCall {
  const values = conditions.map((condition) => {
    switch (condition.kind) {
      case 'exact':
        return [condition.argument, condition.value] as const
      case 'prefix':
        return [condition.argument, condition.text] as const
      case 'below':
        return [condition.argument, condition.folder] as const
    }
  })
  return { id: 'test', name, arguments: Object.fromEntries(values) }
}

/** Lists the rules of files that decide about some calls of a tool before a stored rule for all its calls does, with another effect. */
export function listEarlierExceptions(
  { effect, conditions }: Rule,
  tool: string,
  { rules }: Pick<CallRules, 'rules'>,
): readonly PlacedRule[] {
  if (conditions.length > 0) return []
  return rules.filter(
    ({ rule, source }) =>
      rule.effect !== effect &&
      rule.conditions.length > 0 &&
      isRuleOfTool(rule, tool) &&
      // What a person denies outweighs what a folder's file says.
      !(effect === 'deny' && source === 'configuration'),
  )
}
