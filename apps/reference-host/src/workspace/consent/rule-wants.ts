import { nameTools } from '@toolblocks/mcp-bridge/internal/names'
import {
  formatRule,
  formatRuleCalls,
  isRuleOfTool,
  readRule,
  type Rule,
} from '@toolblocks/tool-executor/internal/rules'
import type { Configuration } from '../configuration/configuration.ts'
import type { McpToolConfiguration, ToolConfiguration } from '../configuration/tool-schema.ts'
import { orderedJson } from '../files/hash-json.ts'
import { quote, type WantLine } from './want-line.ts'
import type { WantedPart, WantSources } from './want-sources.ts'

/** Returns the server of a tool that is one of a server. */
export function getServerOfTool(
  part: WantedPart,
  { mcp }: Pick<Configuration, 'mcp'>,
): string | undefined {
  const [, name = ''] = /^tool ([^]*)$/.exec(part) ?? []
  return Object.hasOwn(mcp.tools, name) ? mcp.tools[name]?.server : undefined
}

/** Returns the parts on which rules depend, also those of clients: the tools and servers of their calls. If another one is added, they are new wants. */
export function listRuleParts(
  part: WantedPart,
  { configuration, servers }: WantSources,
): readonly WantedPart[] {
  return listRules(part, configuration).flatMap((rule) => {
    const tools = [...Object.keys(configuration.tools), ...Object.keys(configuration.mcp.tools)]
    const own = tools.filter((name) => isRuleOfTool(rule, name))
    return [
      ...own.map((name): WantedPart => `tool ${name}`),
      ...own
        .flatMap((name) => getServerOfTool(`tool ${name}`, configuration) ?? [])
        .map((name): WantedPart => `server ${name}`),
      ...servers
        .filter(({ name }) => isRuleOfServer(rule, name))
        .map(({ name }): WantedPart => `server ${name}`),
    ]
  })
}

/** Returns the rule of a part, or those that allow something to clients of the service. */
function listRules(part: WantedPart, { serve }: Pick<Configuration, 'serve'>): readonly Rule[] {
  if (part === 'serve') {
    const { clients = {}, groups = {} } = serve ?? {}
    const tables = [...Object.values(clients), ...Object.values(groups)]
    const texts = tables.flatMap(({ rules = [] }) => rules)
    return readRules(texts).filter(({ effect }) => effect === 'allow')
  }
  const [, text] = /^rule ([^]*)$/.exec(part) ?? []
  return text === undefined ? [] : readRules([text])
}

function readRules(texts: readonly string[]): readonly Rule[] {
  return texts.flatMap((text) => {
    const read = readRule(text)
    return read.ok ? [read.rule] : []
  })
}

/** Whether a rule may be about tools of a server. Their names begin with its name. */
export function isRuleOfServer({ tool }: Rule, server: string): boolean {
  const [named = ''] = nameTools(server, ['x']).values()
  const prefix = named.slice(0, -1)
  const start = tool.replace(/\*$/, '')
  return start.startsWith(prefix) || (tool.endsWith('*') && prefix.startsWith(start))
}

/** Returns the line about a rule. One that asks or denies needs no agreement; an `allow` after it is agreed to with it. */
export function ruleLines(
  text: string,
  {
    approvals: { rules = [] } = {},
    tools,
    mcp,
  }: Pick<Configuration, 'approvals' | 'tools' | 'mcp'>,
): readonly WantLine[] {
  const read = readRule(text)
  if (!read.ok || read.rule.effect !== 'allow') return []
  const { rule } = read
  const before = rules.slice(0, rules.indexOf(text))
  const exceptions = listExceptions(before, (other) => mayShareTool(rule, other))
  const always = Object.entries({ ...tools, ...mcp.tools })
    .filter(([name]) => isRuleOfTool(rule, name))
    .flatMap(([name, table]) =>
      listArgumentLimits(table).map((limit) => `${limit} in ${quote(name)}`),
    )
  const what = `rule: calls of ${formatRuleCalls(rule)} run without asking you`
  return [limitedLine(what, { exceptions, always })]
}

/** Returns what every call of a tool has or has not. */
export function listArgumentLimits({
  fixed = {},
  hidden = [],
}: Pick<ToolConfiguration | McpToolConfiguration, 'fixed' | 'hidden'>): readonly string[] {
  return [
    ...Object.entries(fixed).map(([name, value]) => `${quote(name)} = ${orderedJson(value)}`),
    ...hidden.map((name) => `no ${quote(name)}`),
  ]
}

/** Returns the rules that ask or deny. Without one of them, the calls that run without a person would be others. */
export function listExceptions(
  rules: readonly string[] = [],
  isAbout: (rule: Rule) => boolean,
): readonly Rule[] {
  return readRules(rules).filter((rule) => rule.effect !== 'allow' && isAbout(rule))
}

/** Returns the line for calls that run without a person: which rules except some of them, and what all of them have. */
export function limitedLine(
  text: string,
  { exceptions, always = [] }: { exceptions: readonly Rule[]; always?: readonly string[] },
): WantLine {
  const except = exceptions.length === 0 ? '' : `, except: ${exceptions.map(formatRule).join(', ')}`
  const fixed = always.length === 0 ? '' : `, always with ${always.join(', ')}`
  // Where a rule asked, one may deny now. Where it denied, it must still deny.
  const limits = exceptions.flatMap((rule) => [
    formatRule({ ...rule, effect: 'ask' }),
    ...(rule.effect === 'deny' ? [formatRule(rule)] : []),
  ])
  return ['loosens', `${text}${fixed}${except}`, undefined, text, [...limits, ...always]]
}

/** Whether a tool can exist that both rules are for. */
function mayShareTool(one: Rule, other: Rule): boolean {
  return [
    [one, other],
    [other, one],
  ].some(([wide, narrow]) => wide && narrow && isRuleOfTool(wide, narrow.tool.replace(/\*$/, '')))
}
