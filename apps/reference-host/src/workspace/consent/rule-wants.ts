import { nameTools } from '@toolblocks/mcp-bridge/internal/names'
import {
  formatRuleCalls,
  isRuleOfTool,
  readRule,
  type Rule,
} from '@toolblocks/tool-executor/internal/rules'
import { limitedLine, type WantLine } from './want-line.ts'

/** Whether a rule may be about tools of a server. Their names begin with its name. */
export function isRuleOfServer({ tool }: Rule, server: string): boolean {
  const [named = ''] = nameTools(server, ['x']).values()
  const prefix = named.slice(0, -1)
  const start = tool.replace(/\*$/, '')
  return start.startsWith(prefix) || (tool.endsWith('*') && prefix.startsWith(start))
}

/** Returns the line about a rule. One that asks or denies needs no agreement; an `allow` after it is agreed to with it. */
export function ruleLines(text: string, rules: readonly string[]): readonly WantLine[] {
  const read = readRule(text)
  if (!read.ok || read.rule.effect !== 'allow') return []
  const { rule } = read
  const before = rules.slice(0, rules.indexOf(text))
  const exceptions = listExceptions(before, (other) => mayShareTool(rule, other))
  return [limitedLine(`rule: calls of ${formatRuleCalls(rule)} run without asking you`, exceptions)]
}

/** Returns the calls that rules ask or deny. Without such a rule, the calls that run without a person would be others. */
export function listExceptions(
  rules: readonly string[] = [],
  isAbout: (rule: Rule) => boolean,
): readonly string[] {
  return rules.flatMap((text) => {
    const read = readRule(text)
    return read.ok && read.rule.effect !== 'allow' && isAbout(read.rule)
      ? [formatRuleCalls(read.rule)]
      : []
  })
}

/** Whether a tool can exist that both rules are for. */
function mayShareTool(one: Rule, other: Rule): boolean {
  return [
    [one, other],
    [other, one],
  ].some(([wide, narrow]) => wide && narrow && isRuleOfTool(wide, narrow.tool.replace(/\*$/, '')))
}
