import { type JsonSchema, isJsonObject } from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { isRuleOfTool, type Rule } from '@toolblocks/tool-executor/internal/rules'
import { didYouMean, formatSuggestions } from '../../terminal/did-you-mean.ts'
import type { CallRules } from './create-approver.ts'
import { describePlacedRule, type PlacedRule } from './rule-sources.ts'

/** The tools that rules may be about. */
export interface NamedTools {
  entries: readonly Pick<ToolEntry, 'tool' | 'shape'>[]
  /** Names of tools that exist and cannot be called now. Default: none. */
  names?: readonly string[]
  /** Names of servers whose tools are not known now. Default: none. */
  servers?: readonly string[]
}

/** Tools that a host adds. */
const OWN_TOOLS = [
  'await',
  'call_tool',
  'delegate',
  'describe_tools',
  'read_resource',
  'read_tool_result',
  'search_tools',
]

/** More names are not listed. */
const MAX_NAMES = 30

/**
 * Describes, each with its place, the rules that fit no call: those for a tool that does not exist, and those for an argument that their tool does not have. Somebody may
 * rely on them. The rules of your settings count in every folder, so those that do not deny are described only if a tool has a similar name.
 */
export function describeUnfitRules(
  rules: readonly PlacedRule[],
  tools: NamedTools,
): readonly string[] {
  return rules.flatMap((placedRule) => {
    const message = describeUnfit(placedRule, tools)
    return message === undefined ? [] : [`${describePlacedRule(placedRule)}: ${message}`]
  })
}

/** Describes the rules that fit no call, also the stored ones of the workspace. Stored ones with `*` may be for tools that come later. */
export function describeUnfitCallRules(
  { rules, store, root }: Pick<CallRules, 'rules' | 'store' | 'root'>,
  tools: NamedTools,
): readonly string[] {
  const stored = store
    .list(root)
    .filter(({ rule }) => !rule.tool.endsWith('*'))
    .map(({ id, rule }): PlacedRule => {
      const rulePlace = `the stored rule ${id} ("toolblocks approvals revoke ${id}" removes it)`
      return { rule, source: 'stored', place: () => rulePlace }
    })
  return describeUnfitRules([...rules, ...stored], tools)
}

/**
 * Finds the first rule of the command line that asks or denies, and names an argument which its tool does not have: a call that it was typed for would run. A rule with `*`
 * may be for other tools, and one that allows nothing is only reported.
 */
export function findTypedMistake(
  rules: readonly PlacedRule[],
  entries: NamedTools['entries'],
): string | undefined {
  for (const placedRule of rules) {
    const { rule, source } = placedRule
    if (source !== 'command line' || rule.effect === 'allow' || rule.tool.endsWith('*')) continue
    const fitting = entries.filter(({ tool }) => isRuleOfTool(rule, tool.name))
    const message = fitting.length > 0 ? describeUnknownArgument(rule, fitting) : undefined
    if (message !== undefined) return `${describePlacedRule(placedRule)}: ${message}`
  }
  return undefined
}

function describeUnfit(
  { rule, source }: PlacedRule,
  { entries, names = [], servers = [] }: NamedTools,
): string | undefined {
  const fitting = entries.filter(({ tool }) => isRuleOfTool(rule, tool.name))
  if (fitting.length > 0) return describeUnknownArgument(rule, fitting)
  const known = entries.map(({ tool }) => tool.name)
  const isKnown = [...names, ...OWN_TOOLS].some((name) => isRuleOfTool(rule, name))
  if (isKnown || servers.some((server) => rule.tool.startsWith(`${server}__`))) return undefined
  const similar = didYouMean(rule.tool, known)
  if (source === 'settings' && rule.effect !== 'deny' && similar === '') return undefined
  const hint =
    known.length > MAX_NAMES ? similar : formatSuggestions(rule.tool, known, 'the tools are')
  const server =
    source === 'settings' && rule.tool.includes('__')
      ? '. A folder chooses the names of its servers and tools itself; "toolblocks tools" lists them'
      : ''
  return `no tool has this name, so ${describeLack(rule)}${hint}${server}`
}

function describeLack({ effect }: Pick<Rule, 'effect'>): string {
  switch (effect) {
    case 'allow':
      return 'the rule allows nothing'
    case 'ask':
      return 'nothing is asked because of the rule'
    case 'deny':
      return 'the rule denies nothing'
  }
}

/**
 * Says why no call of these tools has an argument that a rule names; `undefined` if one may. `lack`: what the rule does not do because of it, such as
 * `, so the rule denies nothing`.
 */
export function describeUnknownArgument(
  rule: Pick<Rule, 'effect' | 'conditions'>,
  entries: NamedTools['entries'],
  lack = `, so ${describeLack(rule)}`,
): string | undefined {
  const schemas = entries.map(({ tool, shape }) => (tool.spawn ? {} : (shape ?? tool).inputSchema))
  for (const { argument } of rule.conditions) {
    if (schemas.some((schema) => mayHave(schema, argument))) continue
    const known = schemas.flatMap((schema) =>
      isJsonObject(schema) && isJsonObject(schema['properties'])
        ? Object.keys(schema['properties'])
        : [],
    )
    const [only, ...others] = entries
    const who =
      only && others.length === 0 ? `the tool ${only.tool.name} has` : 'the tools of this name have'
    const hint = formatSuggestions(argument, known, 'expected')
    return `${who} no argument ${JSON.stringify(argument)}${lack}${hint}`
  }
  return undefined
}

/** Keywords with which a schema may have properties that it does not list. */
const OTHER_KEYWORDS = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties']

/** Whether a schema has a property, or says that it allows others. Servers omit `additionalProperties` and do not mean that. */
function mayHave(schema: JsonSchema, name: string): boolean {
  if (!isJsonObject(schema)) return true
  const { properties, additionalProperties = false } = schema
  if (additionalProperties !== false || !isJsonObject(properties)) return true
  return Object.hasOwn(properties, name) || OTHER_KEYWORDS.some((key) => Object.hasOwn(schema, key))
}
