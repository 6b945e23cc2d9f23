import { isDeepStrictEqual } from 'node:util'
import type { OnTurnEvent } from '@toolblocks/agent'
import type { ToolCall } from '@toolblocks/protocol'
import { isJsonValue } from '@toolblocks/protocol/internal'
import { sanitizeTerminalLine } from '@toolblocks/renderer'
import type { RuleVerdict, ToolEntry } from '@toolblocks/tool-executor'
import {
  explainMisfit,
  explainNarrowPrefix,
  formatRule,
  isRuleOfCall,
  isRuleOfTool,
  readRule,
  type Rule,
} from '@toolblocks/tool-executor/internal/rules'
import type { CommandContext } from '../../terminal/command-context.ts'
import { findCallResult, getCallKey } from './call-results.ts'
import { type CallRules, listStored } from './create-approver.ts'
import { describePlacedRule, formatRuleOption, type PlacedRule } from './rule-sources.ts'

/** A rule that allows, and why it does not fit a call that `deny` with the same conditions would fit. */
export interface NearRule {
  placedRule: PlacedRule
  reason: string
}

/** Lists the rules that nearly allow a call. In doubt a rule with `allow` does not fit, and a person does not see that. */
export function listNearRules(
  call: ToolCall,
  { tool, shape }: Pick<ToolEntry, 'tool' | 'shape'>,
  { rules, store, root, isBelow }: Pick<CallRules, 'rules' | 'store' | 'root' | 'isBelow'>,
): readonly NearRule[] {
  const { inputSchema: schema } = shape ?? tool
  const stored = listStored(store, root).map(({ id, rule }): PlacedRule => ({
    rule,
    source: 'stored',
    id,
  }))
  return [...rules, ...stored].flatMap((placedRule) => {
    const reason = explainMisfit(placedRule.rule, call, { isBelow, schema })
    return reason === undefined ? [] : [{ placedRule, reason }]
  })
}

/** Says which rule nearly allows a call, and why it does not. */
export function describeNearRule({ placedRule, reason }: NearRule): string {
  return `${describePlacedRule(placedRule)} does not fit: ${reason}`
}

/** Describes the rules of these tools that allow one path, where a folder is probably meant. */
export function describeNarrowRules(
  rules: readonly PlacedRule[],
  entries: readonly Pick<ToolEntry, 'tool'>[],
): readonly string[] {
  return rules.flatMap((placedRule) => {
    const { rule } = placedRule
    const isKnown = entries.some(({ tool }) => isRuleOfTool(rule, tool.name))
    const message = isKnown ? explainNarrowPrefix(rule) : undefined
    return message === undefined ? [] : [`${describePlacedRule(placedRule)}: ${message}`]
  })
}

type Decide<Material> = (call: ToolCall, material: Material) => Promise<RuleVerdict | undefined>

/** How the person at the terminal allows denied calls. A model, which could adapt its calls to the rules, does not get this. */
export interface NearRuleNotes {
  /** Wraps the decision about calls so that the rules are known which nearly allow a call, or which the command line outweighs. */
  watch<Material extends { entry: ToolEntry; agents?: readonly string[] }>(
    decide: Decide<Material>,
    rules: CallRules,
  ): Decide<Material>
  /** Shows those of calls that a rule denies, if they were not shown yet. */
  showDenied(): void
  /** Wraps a listener so that the rules follow the result of each denied call. */
  after(show: OnTurnEvent): OnTurnEvent
}

/**
 * Shows a person, after the result of a denied call, which rules nearly allow it and why they do not. Without one of the command line, names the
 * option that outweighs a rule of the folder.
 */
export function noteNearRules({ terminal }: Pick<CommandContext, 'terminal'>): NearRuleNotes {
  const notes = new Map<string, { lines: readonly string[]; isDenied: boolean }>()

  function showOne(key: string): void {
    const { lines = [] } = notes.get(key) ?? {}
    notes.delete(key)
    for (const line of lines) terminal.note(sanitizeTerminalLine(line, { maxLength: Infinity }))
  }

  return {
    watch: (decide, rules) => async (call, material) => {
      const verdict = await decide(call, material)
      if (verdict?.effect === 'allow') return verdict
      const near = listNearRules(call, material.entry, rules)
      const isDenied = verdict?.effect === 'deny'
      const isTyped = near.some(({ placedRule }) => placedRule.source === 'command line')
      const lines = [
        ...near.map((each) => `${describeNearRule(each)}.`),
        ...(isDenied && verdict.source === 'configuration' && !isTyped
          ? describeAllowing(call, material.entry, rules)
          : []),
      ]
      if (lines.length > 0)
        notes.set(getCallKey(material.agents ?? [], call.id), { lines, isDenied })
      return verdict
    },
    showDenied: () => {
      for (const [key, { isDenied }] of notes) if (isDenied) showOne(key)
    },
    after: (show) => async (moment) => {
      await show(moment)
      const result = findCallResult(moment)
      if (result?.isDenied) showOne(result.key)
      else if (result) notes.delete(result.key)
    },
  }
}

/** A longer option is not typed again. */
const MAX_OPTION = 1000

/** Names, without a full stop after it, the option that allows this call: with its arguments if a rule can name them, else for its tool. Empty if a rule would be about other tools. */
function describeAllowing(
  call: ToolCall,
  { tool, shape }: Pick<ToolEntry, 'tool' | 'shape'>,
  { isBelow }: Pick<CallRules, 'isBelow'>,
): readonly string[] {
  const { inputSchema: schema } = shape ?? tool
  const named = Object.entries(call.arguments).flatMap(([argument, value]) =>
    isJsonValue(value) ? [{ kind: 'exact', argument, value } as const] : [],
  )
  for (const conditions of [named, []]) {
    const rule: Rule = { effect: 'allow', tool: call.name, conditions }
    const option = formatRuleOption(rule)
    const read = readRule(formatRule(rule))
    const isRead = read.ok && isDeepStrictEqual(read.rule, rule) && !call.name.endsWith('*')
    // What a terminal shows otherwise would be typed otherwise.
    const isShown =
      option.length <= MAX_OPTION &&
      sanitizeTerminalLine(option, { maxLength: Infinity }) === option
    if (isRead && isShown && isRuleOfCall(rule, call, { isBelow, schema })) {
      const what = conditions.length > 0 ? 'it' : `all calls of ${call.name}`
      return [`To allow ${what} all the same, for this run: ${option}`]
    }
  }
  return []
}
