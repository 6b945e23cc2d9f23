import { quoteWord } from '../../terminal/quote-word.ts'
import type { RuleVerdict } from '@toolblocks/tool-executor'
import {
  formatRule,
  formatRuleCalls,
  type ReadRule,
  readRule,
  type Rule,
} from '@toolblocks/tool-executor/internal/rules'

/** Where rules are, in the order in which they decide. `stored`: in the list of `toolblocks approvals`. */
export type RuleSource = 'command line' | 'configuration' | 'settings' | 'stored'

/** A rule and where it is. */
export interface PlacedRule {
  rule: Rule
  source: RuleSource
  /** Describes its place, for example its file and line. Absent: the source says enough. */
  place?: () => string
  /** The id by which a stored rule is revoked. */
  id?: string
}

/** What a rule decides, and the rule itself. A model could end the rule with what this says, so the ports of an executor get only `verdict`. */
export interface RuleDecision {
  verdict: RuleVerdict
  placedRule: PlacedRule
}

/** Returns what a rule decides. */
export function toDecision(placedRule: PlacedRule): RuleDecision {
  const { rule, source } = placedRule
  return { verdict: { effect: rule.effect, rule: formatRuleCalls(rule), source }, placedRule }
}

/** Says to a person which rule decides, where it is, and how a stored one is ended. `command`: the words that start this program. */
export function describeVerdict(
  { verdict: { rule, source }, placedRule }: RuleDecision,
  command: string,
): string {
  const where = describeWhere(placedRule, { command, subject: 'it' })
  return `the rule ${rule} (${source})${where === undefined ? '' : `; ${where}`}`
}

/** Says to a person, after a result that names the rule, where it is or how it is ended. `undefined`: the source says enough. */
export function describeRulePlace(
  { placedRule }: Pick<RuleDecision, 'placedRule'>,
  command: string,
): string | undefined {
  const where = describeWhere(placedRule, { command, subject: 'the rule' })
  return where && `${where.charAt(0).toUpperCase()}${where.slice(1)}.`
}

function describeWhere(
  { rule, source, place: describeOwnPlace, id }: PlacedRule,
  { command, subject }: { command: string; subject: 'it' | 'the rule' },
): string | undefined {
  if (id !== undefined) return `"${command} approvals revoke ${id}" removes ${subject}`
  if (source === 'command line') return `${subject} is the option ${formatRuleOption(rule)}`
  return describeOwnPlace && `${subject} is in ${describeOwnPlace()}`
}

/** Formats a rule as the option of the command line that makes it. Its text is one word of a shell. */
export function formatRuleOption(rule: Rule): string {
  const calls = formatRuleCalls(rule)
  const word = /["$`!\\\p{C}]/u.test(calls) ? quoteWord(calls) : `"${calls}"`
  return `--${rule.effect}-tool ${word}`
}

/** Describes a rule with its place: as an option, or as it is written in a file or in the list of stored rules. */
export function describePlacedRule({
  rule,
  source,
  place: describeOwnPlace,
  id,
}: PlacedRule): string {
  if (source === 'command line') return formatRuleOption(rule)
  const where = describeOwnPlace?.() ?? (id === undefined ? source : `the stored rule ${id}`)
  return `${where}: ${JSON.stringify(formatRule(rule))}`
}

/** Reads rules of one source. Those that are not rules are omitted: their files and the command line were checked before. */
export function placeRules(
  texts: readonly string[] = [],
  source: RuleSource,
  describeIndex?: (index: number) => string,
): readonly PlacedRule[] {
  return texts.flatMap((text, index) => {
    const read = readRule(text)
    const where = describeIndex && { place: () => describeIndex(index) }
    return read.ok ? [{ rule: read.rule, source, ...where }] : []
  })
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
