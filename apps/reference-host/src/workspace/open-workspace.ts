import { getServerPart } from '@toolblocks/mcp-bridge/internal/names'
import { isRuleOfTool, readRule } from '@toolblocks/tool-executor/internal/rules'
import { dirname } from 'node:path'
import {
  type Configuration,
  type ConfigurationProblem,
  describePlace,
  describeProblem,
} from './configuration/configuration.ts'
import { loadConfiguration, unconfigured } from './configuration/load-configuration.ts'
import { findConfiguration } from './files/find-configuration.ts'
import { placeSettingsRule, readUserSettings } from './configuration/user-settings.ts'
import type { UserSettings } from './configuration/user-settings-schema.ts'
import { EXIT } from '../process/exit-codes.ts'
import {
  findServerVariables,
  readWrittenServers,
  selectServers,
  type WrittenServer,
} from './servers/written-servers.ts'
import type { CommandContext, SharedOptions } from '../terminal/command-context.ts'
import {
  type FolderDecisions,
  openFolderDecisions,
  type OtherProgram,
} from './consent/decisions.ts'
import { type PlacedRule, placeRules } from './consent/rule-sources.ts'
import type { Want } from './consent/wants.ts'
import type { WantedPart } from './consent/want-sources.ts'
import { chooseStore, type ChosenStore } from './store/choose-store.ts'

/** The configuration of a folder, reduced to the parts that may have an effect. */
export interface Workspace {
  /** Without the parts that the user has not agreed to. */
  configuration: Configuration
  /** The servers that may be started or reached. */
  servers: readonly WrittenServer[]
  /** The configuration and the servers as written in the files. Only for names and messages, never for actions. */
  written: { configuration: Configuration; servers: readonly WrittenServer[] }
  /** Whether the user has agreed to a part. A tool that a person named may be started even if not. */
  isAgreed(part: WantedPart): boolean
  /** Finds out whether a part waits only because `PATH` starts another program here than where the user agreed. */
  findOtherProgram(part: WantedPart): OtherProgram | undefined
  /** The user's settings for all folders. */
  settings: UserSettings
  /** The rules about calls that count: of the configuration, and of the settings. */
  rules: readonly PlacedRule[]
  /** The store of conversations. */
  store: ChosenStore
  /** Returns the wants about some parts. A rule that a person stored is bound to them. */
  listWants(parts: readonly WantedPart[]): readonly Want[]
}

/** A workspace, or the exit code if it cannot be used. The error is already printed. */
export type OpenedWorkspace = { ok: true; workspace: Workspace } | { ok: false; code: number }

/** Settings for opening a workspace. */
export interface WorkspaceOptions extends SharedOptions {
  /** How a folder without a configuration is handled. Default: `refused`. */
  unconfigured?: 'refused' | 'empty'
  /** Names of tools that a person typed. This agrees to starting these tools, but not to giving variables to them or their servers. Nothing else is asked. */
  named?: readonly string[]
}

/**
 * Reads the configuration of a folder and removes the parts that the user has not agreed to. At a terminal, the person is first asked once about
 * new parts. Every command gets its configuration from here.
 */
export async function openWorkspace(
  context: CommandContext,
  options: WorkspaceOptions,
): Promise<OpenedWorkspace> {
  const { terminal, folder } = context
  const reportConfigurationProblem = (
    problem: ConfigurationProblem,
    kind: 'error' | 'warning',
  ): void => terminal.report(kind, describeProblem(problem))
  const read = await readFolder(folder, options)
  const user = await readUserSettings()
  if (!read.ok || !user.ok) {
    const problems = [...(read.ok ? [] : read.problems), ...(user.ok ? [] : user.problems)]
    for (const problem of problems) reportConfigurationProblem(problem, 'error')
    return { ok: false, code: EXIT.usage }
  }
  const { configuration, servers } = read
  const { settings } = user
  for (const warning of read.warnings) reportConfigurationProblem(warning, 'warning')
  const written = { configuration, servers }
  const decisions = openFolderDecisions(context, written)
  const isAgreed = await decide(context, decisions, written, options)
  if (context.signal.aborted) return { ok: false, code: EXIT.cancelled }
  const agreed = selectAgreed(written, isAgreed, options.named)
  return {
    ok: true,
    workspace: {
      ...agreed,
      written,
      isAgreed,
      findOtherProgram: decisions.findOtherProgram,
      settings,
      rules: [
        ...placeConfiguredRules(agreed.configuration, configuration),
        ...placeRules(settings.approvals?.rules, 'settings', placeSettingsRule),
      ],
      store: chooseStore({ written: configuration, isAgreed: isAgreed('store'), settings }),
      listWants: (parts) => parts.flatMap(decisions.wants.of),
    },
  }
}

/** Reads the rules that the user has agreed to, with their places in the file. */
function placeConfiguredRules(
  agreed: Pick<Configuration, 'approvals'>,
  { approvals, locate }: Pick<Configuration, 'approvals' | 'locate'>,
): readonly PlacedRule[] {
  const { rules = [] } = agreed.approvals ?? {}
  return placeRules(rules, 'configuration', (index) => {
    const written = approvals?.rules?.indexOf(rules[index] ?? '') ?? index
    const path = ['approvals', 'rules', String(written)]
    return describePlace(locate({ path, message: '' }))
  })
}

type ReadFolder =
  | {
      ok: true
      configuration: Configuration
      servers: readonly WrittenServer[]
      warnings: readonly ConfigurationProblem[]
    }
  | { ok: false; problems: readonly ConfigurationProblem[] }

async function readFolder(
  folder: string,
  { config, unconfigured: how = 'refused' }: WorkspaceOptions,
): Promise<ReadFolder> {
  if (how === 'empty' && config === undefined && findConfiguration(folder) === undefined)
    return { ok: true, configuration: unconfigured(folder), servers: [], warnings: [] }
  const parsed = await loadConfiguration(folder, config)
  if (!parsed.ok) return parsed
  const { configuration } = parsed
  const { servers, warnings } = await readWrittenServers(configuration)
  return { ok: true, configuration, servers, warnings: [...parsed.warnings, ...warnings] }
}

/**
 * Reads again which tools a configuration and its servers have, also those that other processes have added since. If the file cannot be read now,
 * every tool counts as configured.
 */
export async function readConfiguredNames({
  file,
}: Pick<Configuration, 'file'>): Promise<(tool: string) => boolean> {
  const read = await readFolder(dirname(file), { config: file })
  if (!read.ok) return () => true
  const { configuration, servers } = read
  const names = servers.map(({ name }) => name)
  return (tool) =>
    Object.hasOwn(configuration.tools, tool) ||
    Object.hasOwn(configuration.mcp.tools, tool) ||
    getServerPart(tool, names) !== undefined
}

/** Reads the names of the tools that the configuration of a folder has. Its errors are reported where it is opened. */
export async function readToolNames(
  folder: string,
): Promise<{ file: string; names: readonly string[] } | undefined> {
  const loaded = await loadConfiguration(folder)
  if (!loaded.ok) return undefined
  const { file, tools, mcp } = loaded.configuration
  return { file, names: [...Object.keys(tools), ...Object.keys(mcp.tools)] }
}

/** Reads whether the configuration of a folder offers metrics, which nobody has to agree to. Its errors are reported when it is opened. */
export async function offersMetrics(folder: string, config: string | undefined): Promise<boolean> {
  const parsed = await loadConfiguration(folder, config)
  return parsed.ok && parsed.configuration.serve?.metrics === true
}

/** Creates the check whether the user has agreed to a part: for this run, from before, or now at the terminal. */
async function decide(
  { terminal }: Pick<CommandContext, 'terminal'>,
  { findNew, wants, ask }: FolderDecisions,
  { configuration, servers }: Workspace['written'],
  { trust = false, named }: WorkspaceOptions,
): Promise<(part: WantedPart) => boolean> {
  if (trust || process.env['TOOLBLOCKS_TRUST'] === '1') return () => true
  const isKnown = (part: WantedPart): boolean => findNew(wants.of(part)).length === 0
  if (!terminal.isInteractive) return isKnown
  const wanted = named
    ? [
        ...named
          .filter((name) => getsVariables(configuration, name))
          .flatMap((name) => wants.of(`tool ${name}`)),
        ...selectServers(servers, configuration, named)
          .filter((server) => findServerVariables(server).length > 0)
          .flatMap(({ name }) => wants.of(`server ${name}`)),
      ]
    : wants.list()
  const unknown = findNew(wanted)
  // Of a typed name, only the tool and its server were looked at.
  if (unknown.length === 0) return named ? isKnown : () => true
  const isNew = unknown.length === wanted.length
  if (!(await ask({ wants: unknown, isNew }))) return isKnown
  if (!named) return () => true
  // Also if the decision could not be stored.
  const asked = new Set(unknown.map(({ part }) => part))
  return (part) => asked.has(part) || isKnown(part)
}

/** Selects the parts that the user has agreed to, and the tools that a person named. */
function selectAgreed(
  { configuration, servers }: Workspace['written'],
  isAgreed: (part: WantedPart) => boolean,
  named: readonly string[] | undefined,
): Pick<Workspace, 'configuration' | 'servers'> {
  const {
    tools,
    mcp,
    model,
    questions,
    serve,
    store,
    agents,
    prompts,
    resources,
    approvals,
    ...rest
  } = configuration
  const { notify, ...otherQuestions } = questions ?? {}
  // Only the named tools are checked, because looking up programs takes time.
  const isWanted = (name: string): boolean =>
    named === undefined || (named.includes(name) && getsVariables(configuration, name))
      ? isAgreed(`tool ${name}`)
      : named.includes(name)
  const isOpen = (server: WrittenServer): boolean =>
    isAgreed(`server ${server.name}`) ||
    (named !== undefined && findServerVariables(server).length === 0)
  const wanted = servers.filter(isOpen)
  return {
    configuration: {
      ...rest,
      tools: pick(tools, isWanted, (name, tool) =>
        // The person named the tool to call it, not to start it for the preview of an approval.
        isAgreed(`tool ${name}`) ? tool : { ...withoutAnswers(tool), format_arguments: false },
      ),
      mcp: {
        ...mcp,
        tools: pick(mcp.tools, isWanted, (name, tool) =>
          isAgreed(`tool ${name}`) ? tool : withoutAnswers(tool),
        ),
      },
      ...(model && isAgreed('model') && { model }),
      agents: pick(agents, (name) => isAgreed(`agent ${name}`)),
      prompts: pick(prompts, (name) => isAgreed(`prompt ${name}`)),
      ...(resources && isAgreed('resources') && { resources }),
      ...(approvals && { approvals: { rules: selectRules(approvals.rules, isAgreed, named) } }),
      ...(questions && {
        questions: { ...otherQuestions, ...(notify && isAgreed('questions') && { notify }) },
      }),
      ...(serve && isAgreed('serve') && { serve }),
      ...(store && isAgreed('store') && { store }),
    },
    servers: wanted.map((server) => ({
      ...server,
      waiting: Object.entries(mcp.tools)
        .filter(([name, table]) => table.server === server.name && !isWanted(name))
        .map(([, { tool }]) => tool),
    })),
  }
}

/** Omits rules that allow and that the user has not agreed to. Of a run of named tools, only rules about these have an effect. */
function selectRules(
  rules: readonly string[] = [],
  isAgreed: (part: WantedPart) => boolean,
  named: readonly string[] | undefined,
): string[] {
  return rules.filter((text) => {
    const read = readRule(text)
    if (!read.ok) return false
    const { rule } = read
    return (
      (named?.some((name) => isRuleOfTool(rule, name)) ?? true) &&
      (rule.effect !== 'allow' || isAgreed(`rule ${text}`))
    )
  })
}

/** Removes what a folder answers in place of the person who named the tool. */
function withoutAnswers<Table extends { questions?: unknown }>({
  questions: _answers,
  ...table
}: Table): Omit<Table, 'questions'> {
  return table
}

/** Whether the program of a tool gets variables that its table names. */
function getsVariables({ tools }: Pick<Configuration, 'tools'>, name: string): boolean {
  return Object.hasOwn(tools, name) && (tools[name]?.env ?? []).length > 0
}

function pick<Table>(
  tables: Readonly<Record<string, Table>>,
  isWanted: (name: string) => boolean,
  change: (name: string, table: Table) => Table = (_, table) => table,
): Readonly<Record<string, Table>> {
  return Object.fromEntries(
    Object.entries(tables)
      .filter(([name]) => isWanted(name))
      .map(([name, table]) => [name, change(name, table)]),
  )
}
