import type { ToolEntry } from '@toolblocks/tool-executor'
import { type CallRules, findVerdict } from '../../workspace/consent/create-approver.ts'

/** More names are counted. */
const MAX_NAMES = 3

/** Says which configured tools ask about each call, and how they run without asking; `undefined` if no tool asks. */
export function describeAskingTools(
  entries: readonly ToolEntry[],
  rules: CallRules,
): string | undefined {
  const names = entries
    .filter(({ policy = 'ask' }) => policy === 'ask')
    .filter((entry) => !isAllowed(entry, rules))
    .map(({ tool }) => tool.name)
  const more = names.length - MAX_NAMES
  const first = names.slice(0, MAX_NAMES).join(', ')
  if (names.length === 0) return undefined
  const end = 'about each call; run = "unattended" in toolblocks.toml lets'
  return names.length === 1
    ? `${first} asks you ${end} it run without asking.`
    : `${first}${more > 0 ? ` and ${more} more` : ''} ask you ${end} them run without asking.`
}

/** Whether a rule without conditions allows every call of a tool. */
function isAllowed(entry: ToolEntry, rules: CallRules): boolean {
  const call = { id: 'install', name: entry.tool.name, arguments: {} }
  const decided = findVerdict(call, { entry }, rules)
  return decided?.verdict.effect === 'allow' && decided.placedRule.rule.conditions.length === 0
}
