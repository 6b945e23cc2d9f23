import { requireArguments } from '@toolblocks/protocol/internal'
import type { ApplyRules } from './permit-call.ts'
import { formatRuleCalls, type IsBelow, isRuleOfCall, readRule } from './rules.ts'
import { ToolExecutorError } from './tool-entry.ts'

/**
 * Creates the decision by rules of an application, for the option `decide` of an executor: the first rule that fits a call decides. Without
 * `isBelow`, no path is known to lead into a folder.
 *
 * @throws {@link ToolExecutorError} with code `bad-rule` if a text is not a rule.
 */
export function decideByRules(
  texts: readonly string[],
  {
    isBelow = () => undefined,
    source = 'application',
  }: { isBelow?: IsBelow; source?: string } = {},
): ApplyRules {
  requireArguments('decideByRules(texts, options)', [texts, 'array'])
  const rules = texts.map((text) => {
    const read = readRule(text)
    if (!read.ok) throw new ToolExecutorError('bad-rule', `Invalid rule: ${read.message}.`)
    return read.rule
  })
  return async (call, { entry: { tool, shape } }) => {
    const { inputSchema: schema } = shape ?? tool
    const rule = rules.find((each) => isRuleOfCall(each, call, { isBelow, schema }))
    return rule && { effect: rule.effect, rule: formatRuleCalls(rule), source }
  }
}
