import type { ToolEntry } from '@toolblocks/tool-executor'
import {
  formatRule,
  isRuleOfTool,
  readRule,
  type Rule,
  type RuleEffect,
} from '@toolblocks/tool-executor/internal/rules'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { didYouMean } from '../../terminal/did-you-mean.ts'
import { refuse } from '../../terminal/refuse.ts'
import { describeProblem } from '../../workspace/configuration/configuration.ts'
import { placeSettingsRule, readUserSettings } from '../../workspace/configuration/user-settings.ts'
import {
  type CallRules,
  hashDefinition,
  hashTool,
  openCallRules,
} from '../../workspace/consent/create-approver.ts'
import { placeRules } from '../../workspace/consent/rule-sources.ts'
import { describeUnknownArgument } from '../../workspace/consent/unfit-rules.ts'
import { describeNarrowRules } from '../../workspace/consent/near-rules.ts'
import { openRules, rulesFile, type StoredRule } from '../../workspace/consent/stored-rules.ts'
import { findConfiguration } from '../../workspace/files/find-configuration.ts'
import { waitAtTerminal } from '../../workspace/locks/wait-at-terminal.ts'
import { openTools } from '../../workspace/open-tools.ts'
import {
  getUnavailableExitCode,
  type UnavailableTool,
} from '../../workspace/tools/unavailable-tool.ts'
import { placePolicy } from '../../workspace/tools/place-policy.ts'
import { findEarlierDecider, listEarlierExceptions } from './decide-call.ts'
import {
  describeEarlierDecider,
  describeEarlierException,
  describeStored,
  describeStoredWithoutEffect,
} from './describe-stored.ts'

/** The options of `toolblocks approvals allow`, `ask` and `deny`. */
export interface StoreRuleOptions extends SharedOptions {
  /** The servers that `serve --server` serves, as they are typed there. Absent: the rule is for the workspace. */
  server?: readonly string[]
  header?: readonly string[]
  env?: readonly string[]
}

/** What a command says where no folder has a configuration. */
export const NO_FOLDER =
  'there is no toolblocks.toml here or above; for the tools of a server, add --server with its address or command line, as "serve --server" has it'

/** The tools that a rule may be about, and what it is stored for. */
interface RuledTools {
  root: string
  entries: readonly ToolEntry[]
  /** The names of all tools, also of those that cannot be called. */
  names: readonly string[]
  left: readonly UnavailableTool[]
  where: string
  describeTool(entry: ToolEntry): string
  /** The rules that decide about calls of these tools. */
  rules: CallRules
  /** Returns the place of "run" of a tool. `undefined`: no file has it. */
  placePolicy(tool: string): string | undefined
  close(): Promise<unknown>
}

/**
 * `toolblocks approvals allow RULE`, and `ask` and `deny`: stores a rule. One that allows counts for the tools as they are now: not for one whose
 * definition changes, and not for a later one that its `*` would include.
 */
export async function storeRule(
  context: CommandContext,
  [effect, text]: readonly [RuleEffect, string],
  options: StoreRuleOptions,
): Promise<number> {
  const { terminal } = context
  const read = readRule(`${effect} ${text}`)
  if (!read.ok) return refuse(terminal, [`invalid rule: ${read.message}`])
  const { rule } = read
  const opened =
    options.server === undefined
      ? await openWorkspaceTools(context, rule, options)
      : await openServed(context, options)
  if (!opened.ok) return opened.code
  try {
    const { root, entries, names, left, where, describeTool } = opened
    const ruled = entries.filter(({ tool }) => isRuleOfTool(rule, tool.name))
    if (effect === 'allow' && left.length > 0 && ruled.length === 0)
      return getUnavailableExitCode(left)
    const isPattern = rule.tool.endsWith('*') && effect !== 'allow'
    if (!isPattern && !names.some((name) => isRuleOfTool(rule, name)))
      return refuse(terminal, [`no tool "${rule.tool}" in ${where}${didYouMean(rule.tool, names)}`])
    const unknown = ruled.length > 0 ? describeUnknownArgument(rule, ruled) : undefined
    if (unknown !== undefined) return refuse(terminal, [unknown])
    const definitions =
      effect === 'allow'
        ? Object.fromEntries(ruled.map((entry) => [entry.tool.name, describeTool(entry)]))
        : {}
    const store = openRules(rulesFile(), waitAtTerminal(context))
    // A rule that allows fits less than one that asks or denies with the same words.
    const stricter = store
      .list(root)
      .filter(
        (stored) =>
          effect === 'allow' &&
          stored.rule.effect !== 'allow' &&
          ruled.some(({ tool }) => isRuleOfTool(stored.rule, tool.name)),
      )
    const stored = await store.remember({ root, rule, definitions })
    const isEffective = reportStored(context, stored, { ...opened, entries: ruled })
    const placedRule = { rule, source: 'stored', id: stored.id } as const
    for (const message of describeNarrowRules([placedRule], ruled))
      terminal.report('warning', message)
    for (const { id, rule: other } of stricter) {
      // A rule of a file that decides before this one, and is already named, decides before it too, unless it denies.
      if (!isEffective && other.effect !== 'deny') continue
      terminal.report(
        'warning',
        `"${formatRule(other)}" (${id}) still decides about calls that this one does not fit; "${context.command} approvals test CALL" says which rule decides, "${context.command} approvals revoke ${id}" removes it`,
      )
    }
    return EXIT.ok
  } finally {
    await opened.close()
  }
}

/** Says what a stored rule does, and what decides about its calls before it. Returns whether it decides about some. */
function reportStored(
  { terminal, command }: Pick<CommandContext, 'terminal' | 'command'>,
  stored: StoredRule,
  { entries, rules, placePolicy: findPlace }: Pick<RuledTools, 'entries' | 'rules' | 'placePolicy'>,
): boolean {
  const { rule } = stored
  const earlier = entries.flatMap((entry) => {
    const { name: tool } = entry.tool
    const decider = findEarlierDecider(stored, entry, rules)
    const where = { command, runPlace: findPlace(tool) }
    return decider ? [describeEarlierDecider(decider, { rule, tool }, where)] : []
  })
  const hasEffect = entries.length === 0 || earlier.length < entries.length
  const describeEffect = hasEffect ? describeStored : describeStoredWithoutEffect
  terminal.print(describeEffect(stored, terminal))
  const exceptions = entries.flatMap(({ tool }) => listEarlierExceptions(rule, tool.name, rules))
  const some = hasEffect
    ? [...new Set(exceptions)].map((each) => describeEarlierException(each, command))
    : []
  for (const message of [...earlier, ...some]) terminal.report('warning', message)
  return hasEffect
}

type OpenedRuled = ({ ok: true } & RuledTools) | { ok: false; code: number }

async function openWorkspaceTools(
  context: CommandContext,
  { tool }: Rule,
  options: SharedOptions,
): Promise<OpenedRuled> {
  if (options.config === undefined && findConfiguration(context.folder) === undefined)
    return { ok: false, code: refuse(context.terminal, [NO_FOLDER]) }
  const only = tool.endsWith('*') ? {} : { only: [tool] }
  const opened = await openTools(context, { ...options, ...only })
  if (!opened.ok) return opened
  const { configuration, entries, names, left, workspace } = opened
  const { root } = configuration
  const describeTool = (entry: ToolEntry): string => hashDefinition(entry, workspace)
  return {
    ok: true,
    root,
    entries,
    names,
    left,
    where: configuration.file,
    describeTool,
    rules: openCallRules({ root, rules: workspace.rules, describeTool }),
    placePolicy: (name) => placePolicy(configuration, name),
    close: async () => await Promise.all([opened.settled(), opened.close()]),
  }
}

/** Opens the tools of servers as `serve --server` has them, with the rules of the settings and the stored ones. */
export async function openServed(
  context: CommandContext,
  { server = [], header, env }: StoreRuleOptions,
): Promise<OpenedRuled> {
  const user = await readUserSettings()
  if (!user.ok)
    return { ok: false, code: refuse(context.terminal, user.problems.map(describeProblem)) }
  const { openTypedServers } = await import('../serve/open-typed-servers.ts')
  const typed = { server, ...(header && { header }), ...(env && { env }) }
  const opened = await openTypedServers(context, typed, {
    hooks: () => ({ canAsk: false }),
    onChange: () => {},
  })
  if (!opened.ok) return opened
  const { entries, identity: root, close } = opened
  const describeTool = (entry: ToolEntry): string => hashTool(entry, [root])
  return {
    ok: true,
    root,
    entries,
    names: entries.map(({ tool }) => tool.name),
    left: [],
    where: root,
    describeTool,
    rules: openCallRules({
      root,
      folder: context.folder,
      rules: placeRules(user.settings.approvals?.rules, 'settings', placeSettingsRule),
      describeTool,
    }),
    placePolicy: () => undefined,
    close,
  }
}
