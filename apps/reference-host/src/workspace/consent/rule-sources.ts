import { type ReadRule, readRule, type Rule } from '@toolblocks/tool-executor/internal/rules'

/** Where rules are, in the order in which they decide. `stored`: in the list of `toolblocks approvals`. */
export type RuleSource = 'command line' | 'configuration' | 'settings' | 'stored'

/** A rule and where it is. */
export interface PlacedRule {
  rule: Rule
  source: RuleSource
  /** Describes its place, for example its file and line. Absent: the source says enough. */
  place?: () => string
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
