import {
  isRuleOfTool,
  type ReadRule,
  readRule,
  type Rule,
} from '@toolblocks/tool-executor/internal/rules'
import { formatSuggestions } from '../../terminal/did-you-mean.ts'

/** Where rules are, in the order in which they decide. `stored`: in the list of `toolblocks approvals`. */
export type RuleSource = 'command line' | 'configuration' | 'settings' | 'stored'

/** A rule and where it is. */
export interface PlacedRule {
  rule: Rule
  source: RuleSource
}

/** Reads rules of one source. Those that are not rules are omitted: their files and the command line were checked before. */
export function placeRules(
  texts: readonly string[] = [],
  source: RuleSource,
): readonly PlacedRule[] {
  return texts.map(readRule).flatMap((read) => (read.ok ? [{ rule: read.rule, source }] : []))
}

/** Reads the rules of a command line: an effect before each, as `--deny-tool` and its siblings collect them. The first mistake names its option. */
export function readTypedRules(
  texts: readonly string[] = [],
): { ok: true; rules: readonly PlacedRule[] } | { ok: false; message: string } {
  for (const text of texts) {
    const read: ReadRule = readRule(text)
    const [effect] = text.split(' ')
    if (!read.ok) return { ok: false, message: `--${effect}-tool: ${read.message}` }
  }
  return { ok: true, rules: placeRules(texts, 'command line') }
}

/** Describes the rules of a command line that are for no tool, as the tools are named for a model: somebody may rely on them. */
export function describeUnfitRules(
  texts: readonly string[] = [],
  tools: readonly string[],
): readonly string[] {
  return placeRules(texts, 'command line')
    .filter(({ rule }) => !tools.some((name) => isRuleOfTool(rule, name)))
    .map(({ rule: { effect, tool } }) => {
      const names = formatSuggestions(tool, tools, 'the tools are')
      return `--${effect}-tool ${JSON.stringify(tool)}: no tool has this name${names}`
    })
}
