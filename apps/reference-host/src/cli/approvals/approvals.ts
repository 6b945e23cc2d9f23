import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal, sanitizeTerminalLine } from '@toolblocks/renderer'
import type { ToolEntry } from '@toolblocks/tool-executor'
import {
  formatRule,
  formatRuleCalls,
  readRule,
  type Rule,
  type RuleEffect,
} from '@toolblocks/tool-executor/internal/rules'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { formatSuggestions } from '../../terminal/did-you-mean.ts'
import { refuse } from '../../terminal/refuse.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import {
  type ConfigurationProblem,
  describeProblem,
} from '../../workspace/configuration/configuration.ts'
import { loadConfiguration } from '../../workspace/configuration/load-configuration.ts'
import {
  findSettingLine,
  readUserSettings,
  userSettingsFile,
} from '../../workspace/configuration/user-settings.ts'
import {
  type CallRules,
  hashDefinition,
  listStored,
  openCallRules,
} from '../../workspace/consent/create-approver.ts'
import { openFolderDecisions } from '../../workspace/consent/decisions.ts'
import {
  type PlacedRule,
  placeRules,
  type RuleSource,
} from '../../workspace/consent/rule-sources.ts'
import {
  describeRoot,
  openRules,
  rulesFile,
  type StoredRule,
} from '../../workspace/consent/stored-rules.ts'
import {
  describeNearRule,
  listNearRules,
  type NearRule,
} from '../../workspace/consent/near-rules.ts'
import { findConfiguration } from '../../workspace/files/find-configuration.ts'
import { waitAtTerminal } from '../../workspace/locks/wait-at-terminal.ts'
import { openTools } from '../../workspace/open-tools.ts'
import { readWrittenServers } from '../../workspace/servers/written-servers.ts'
import { describeUnknownArgument } from '../../workspace/consent/unfit-rules.ts'
import {
  getUnavailableExitCode,
  type UnavailableTool,
} from '../../workspace/tools/unavailable-tool.ts'
import { placePolicy } from '../../workspace/tools/place-policy.ts'
import { HOW_TO_AGREE } from '../../workspace/waiting-parts.ts'
import { describeDecider, findDecider } from './decide-call.ts'
import { NO_FOLDER, openServed, type StoreRuleOptions } from './store-rule.ts'

/** One line of the list. */
interface ListedRule extends Partial<Omit<StoredRule, 'rule' | 'definitions'>> {
  effect: RuleEffect
  /** The calls, without the effect. */
  rule: string
  source: RuleSource
  /** The file of the rule, if it is not stored. */
  file?: string
  /** Its line in the file, from 1. */
  line?: number
  /** Whether it has no effect until the user agrees to it. */
  waits?: true
}

/** `toolblocks approvals`: lists the rules in the order in which they decide: of the configuration, of the settings, and the stored ones of every workspace. A file with an error is reported, and the list is without its rules. */
export async function listApprovals(
  context: CommandContext,
  { output, config }: SharedOptions,
): Promise<number> {
  const { terminal } = context
  let isComplete = true
  const tell = (problem: ConfigurationProblem): void => {
    isComplete = false
    terminal.report('error', describeProblem(problem))
  }
  const rules = [
    ...(await listFileRules(context, config, tell)),
    ...listStored(openRules(rulesFile())).map(({ rule, definitions: _hashes, ...stored }) =>
      toListed(rule, { source: 'stored', ...stored }),
    ),
  ]
  if (output === 'json') terminal.printJson({ rules })
  else if (rules.length === 0 && isComplete)
    terminal.print(
      terminal.style.plain('There are no rules: "run" of each tool decides about its calls.'),
    )
  else if (rules.length > 0)
    terminal.print(
      joinTerminal(
        rules.map((each) => describe(each, terminal)),
        '\n',
      ),
    )
  return isComplete ? EXIT.ok : EXIT.usage
}

/** Lists the rules of the configuration and of the settings. */
async function listFileRules(
  context: CommandContext,
  config: string | undefined,
  tell: (problem: ConfigurationProblem) => void,
): Promise<readonly ListedRule[]> {
  const user = await readUserSettings()
  if (!user.ok) user.problems.forEach(tell)
  const { rules: settings = [] } = (user.ok ? user.settings.approvals : undefined) ?? {}
  return [
    ...(await listConfigured(context, config, tell)),
    ...settings.flatMap((text, index) => {
      const line = findSettingLine(['approvals', 'rules', String(index)])
      const origin = { file: userSettingsFile(), ...(line !== undefined && { line }) }
      return placeRules([text], 'settings').map(({ rule, source }) =>
        toListed(rule, { source, ...origin }),
      )
    }),
  ]
}

function toListed(rule: Rule, where: Omit<ListedRule, 'effect' | 'rule'>): ListedRule {
  return { effect: rule.effect, rule: formatRuleCalls(rule), ...where }
}

/** Lists the rules of the configuration of this folder, and marks those that wait for the user. Nothing is asked. */
async function listConfigured(
  context: CommandContext,
  config: string | undefined,
  tell: (problem: ConfigurationProblem) => void,
): Promise<readonly ListedRule[]> {
  if (config === undefined && findConfiguration(context.folder) === undefined) return []
  const loaded = await loadConfiguration(context.folder, config)
  if (!loaded.ok) {
    loaded.problems.forEach(tell)
    return []
  }
  const { configuration } = loaded
  const { rules: texts = [] } = configuration.approvals ?? {}
  if (texts.length === 0) return []
  const { servers } = await readWrittenServers(configuration)
  const { wants, findNew } = openFolderDecisions(context, { configuration, servers })
  return texts.flatMap((text, index) => {
    const waits = findNew(wants.of(`rule ${text}`)).length > 0
    const path = ['approvals', 'rules', String(index)]
    const { file, line } = configuration.locate({ path, message: '' })
    return placeRules([text], 'configuration').map(({ rule, source }) =>
      toListed(rule, {
        source,
        file,
        ...(line !== undefined && { line }),
        ...(waits && { waits }),
      }),
    )
  })
}

function describe(
  { id = '-', effect, rule, source, root, conversation, at = '', waits, ...written }: ListedRule,
  { style }: Terminal,
): TerminalText {
  const where = conversation === undefined ? root : `${root}, conversation ${conversation}`
  const waiting = waits ? `; no effect, because you have not agreed to it: ${HOW_TO_AGREE}` : ''
  const origin =
    source === 'stored'
      ? `in ${where} since ${at.slice(0, 16).replace('T', ' ')}`
      : `${source}: ${formatPlace(written)}${waiting}`
  const line = sanitizeTerminalLine(`${effect} ${rule}`, { maxLength: Infinity })
  return joinTerminal(
    [joinTerminal([style.plain(id.padEnd(8)), line], '  '), style.dim(`          ${origin}`)],
    '\n',
  )
}

function formatPlace({ file = '', line }: Pick<ListedRule, 'file' | 'line'>): string {
  return line === undefined ? file : `${file}:${line}`
}

/** `toolblocks approvals revoke ID…`: removes stored rules. */
export async function revokeApprovals(
  context: CommandContext,
  ids: readonly string[],
): Promise<number> {
  const store = openRules(rulesFile(), waitAtTerminal(context))
  let code: number = EXIT.ok
  for (const id of ids) {
    const revoked = await store.revoke(id)
    if (revoked) {
      context.terminal.print(describeRevoked(revoked))
      continue
    }
    context.terminal.report('error', await explainNoRule(context, id, store.list()))
    code = EXIT.usage
  }
  return code
}

/** Says how the rule ends that a person named by its tool or its text in place of an id. */
async function explainNoRule(
  context: CommandContext,
  text: string,
  stored: readonly StoredRule[],
): Promise<string> {
  const isMeant = (effect: RuleEffect, calls: string): boolean =>
    [calls, `${effect} ${calls}`, calls.replace(/\([^]*/, '')].includes(text)
  const inFile = (await listFileRules(context, undefined, () => {})).find((each) =>
    isMeant(each.effect, each.rule),
  )
  const ids = stored
    .filter(({ rule }) => isMeant(rule.effect, formatRuleCalls(rule)))
    .map(({ id, rule, root }) => `${id} ("${rule.effect} ${formatRuleCalls(rule)}" in ${root})`)
  const messages = [
    ...(inFile
      ? [
          `the rule "${inFile.effect} ${inFile.rule}" is in ${formatPlace(inFile)} and has no id: remove it there`,
        ]
      : []),
    ...(ids.length > 0 ? [`no approval has the id "${text}"; expected ${ids.join(' or ')}`] : []),
  ]
  return messages.length > 0
    ? messages.join('; ')
    : `no approval "${text}"; "${context.command} approvals" lists them`
}

function describeRevoked(stored: StoredRule): TerminalText {
  const { id, rule } = stored
  const written = `${rule.effect} ${formatRuleCalls(rule)}`
  return sanitizeTerminalLine(
    `Revoked "${written}" (${id}). It no longer decides about calls in ${describeRoot(stored)}.`,
    { maxLength: Infinity },
  )
}

/** `toolblocks approvals test CALL`: says which rule decides about a call, such as `git(command=git push)`. */
export async function testCall(
  context: CommandContext,
  text: string,
  options: StoreRuleOptions,
): Promise<number> {
  const { terminal } = context
  const read = readRule(`ask ${text}`)
  const conditions = read.ok ? read.rule.conditions : []
  const values = conditions.flatMap((each) =>
    each.kind === 'exact' ? [[each.argument, each.value] as const] : [],
  )
  if (!read.ok || values.length < conditions.length || read.rule.tool.endsWith('*'))
    return refuse(terminal, [
      `expected a call: NAME or NAME(argument=value)…, got ${JSON.stringify(text)}`,
    ])
  const { tool: name } = read.rule
  const opened =
    options.server === undefined
      ? await openOwnTool(context, name, options)
      : await openServedTool(context, options)
  if (!opened.ok) return opened.code
  try {
    const { entries, rules } = opened
    const entry = entries.find(({ tool }) => tool.name === name)
    if (!entry && opened.left.length > 0) return getUnavailableExitCode(opened.left)
    if (!entry) {
      const names = await opened.listNames()
      return refuse(terminal, [
        `no tool "${name}" can be called${formatSuggestions(name, names, 'there is')}`,
      ])
    }
    const unknown = describeUnknownArgument(read.rule, [entry], '')
    if (unknown !== undefined) return refuse(terminal, [unknown])
    const call = { id: 'test', name, arguments: Object.fromEntries(values) }
    const decider = findDecider(call, entry, rules)
    const { run, decision } = decider
    const runPlace = opened.placePolicy(name)
    const near =
      decider.isFinal || decision?.verdict.effect === 'allow'
        ? []
        : listNearRules(call, entry, rules)
    if (options.output === 'json')
      terminal.printJson({
        run,
        ...decision?.verdict,
        ...(decision
          ? listOrigin(decision.placedRule)
          : runPlace !== undefined && { place: runPlace }),
        ...(near.length > 0 && { near: near.map(toListedNear) }),
      })
    else {
      const decides = describeDecider(decider, { command: context.command, runPlace })
      for (const line of [
        `${decision?.verdict.effect ?? run}: ${decides}`,
        ...near.map(describeNearRule),
      ])
        terminal.print(sanitizeTerminalLine(line, { maxLength: Infinity }))
    }
    return EXIT.ok
  } finally {
    await opened.close()
  }
}

function toListedNear({ placedRule, reason }: NearRule): object {
  const { rule, source } = placedRule
  return { rule: formatRule(rule), source, ...listOrigin(placedRule), reason }
}

function listOrigin({ id, place: describePlace }: PlacedRule): object {
  return { ...(id !== undefined && { id }), ...(describePlace && { place: describePlace() }) }
}

type OpenedRules =
  | {
      ok: true
      entries: readonly ToolEntry[]
      /** The tools that cannot be called. The reasons are already printed. */
      left: readonly UnavailableTool[]
      /** Returns the names of all tools, also of those that were not opened. */
      listNames(): Promise<readonly string[]>
      rules: CallRules
      /** Returns the place of "run" of a tool. `undefined`: no file has it. */
      placePolicy(tool: string): string | undefined
      close(): Promise<unknown>
    }
  | { ok: false; code: number }

async function openOwnTool(
  context: CommandContext,
  name: string,
  options: StoreRuleOptions,
): Promise<OpenedRules> {
  if (options.config === undefined && findConfiguration(context.folder) === undefined)
    return { ok: false, code: refuse(context.terminal, [NO_FOLDER]) }
  const opened = await openTools(context, { ...options, only: [name] })
  if (!opened.ok) return opened
  const { workspace, entries, names, left, settled, close } = opened
  const rules = openCallRules({
    root: workspace.configuration.root,
    rules: workspace.rules,
    describeTool: (each) => hashDefinition(each, workspace),
  })
  return {
    ok: true,
    entries,
    left,
    listNames: async () => {
      const { getServerToolNames } = await import('../call/server-tool-names.ts')
      return [...names, ...(await getServerToolNames(workspace, context.signal))]
    },
    rules,
    placePolicy: (tool) => placePolicy(workspace.configuration, tool),
    close: async () => await Promise.all([settled(), close()]),
  }
}

async function openServedTool(
  context: CommandContext,
  options: StoreRuleOptions,
): Promise<OpenedRules> {
  const opened = await openServed(context, options)
  return opened.ok ? { ...opened, listNames: async () => opened.names } : opened
}
