import {
  type Configuration,
  type ConfigurationProblem,
  describeProblem,
} from './configuration/configuration.ts'
import {
  findConfiguration,
  loadConfiguration,
  unconfigured,
} from './configuration/load-configuration.ts'
import { readUserSettings, type UserSettings } from './configuration/user-settings.ts'
import { EXIT } from '../process/exit-codes.ts'
import { settingsFile } from './files/own-folders.ts'
import { findRealPath } from './files/real-path.ts'
import { readWrittenServers, type WrittenServer } from './servers/written-servers.ts'
import type { CommandContext, SharedOptions } from '../terminal/command-context.ts'
import { confirm } from '../terminal/ask/confirm.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type Agreements, openAgreements } from './agreements.ts'
import { type AuthorityEntry, createAuthority, type Part } from './authority.ts'
import { chooseStore, type ChosenStore } from './choose-store.ts'
import { describeAuthority } from './describe-authority.ts'

/** The configuration of a folder with all of it that may have an effect, and nothing else of it. */
export interface Workspace {
  /** Without the parts that wait for agreement. */
  configuration: Configuration
  /** The servers that may be started or reached. */
  servers: readonly WrittenServer[]
  /** The configuration and the servers as the files have them: for names and messages, never to act by. */
  written: { configuration: Configuration; servers: readonly WrittenServer[] }
  /** Whether a part was agreed to; a tool that a person named may be started although it was not. */
  isAgreed(part: Part): boolean
  /** What the user has set for every folder. */
  settings: UserSettings
  /** Where conversations are kept. */
  store: ChosenStore
  /** The entries about some parts, for what a person's approval is bound to. */
  listAuthority(parts: readonly Part[]): readonly AuthorityEntry[]
}

/** A workspace, or the exit code that says why it cannot be used; that has been told. */
export type OpenedWorkspace = { ok: true; workspace: Workspace } | { ok: false; code: number }

/** How a workspace is opened. */
export interface WorkspaceOptions extends SharedOptions {
  /** What becomes of a folder without a configuration. Default: `refused`. */
  unconfigured?: 'refused' | 'empty'
  /** Names of tools that a person typed, which is the yes to start these, and nothing else is asked about. */
  named?: readonly string[]
}

/**
 * Reads the configuration of a folder and takes out of it what nobody has agreed to. At a terminal a person is asked about that
 * first, once. Every command gets its configuration here.
 */
export async function openWorkspace(
  context: CommandContext,
  options: WorkspaceOptions,
): Promise<OpenedWorkspace> {
  const { terminal, folder } = context
  const tell = (problem: ConfigurationProblem, kind: 'error' | 'warning'): void =>
    terminal.complain(kind, describeProblem(problem))
  const read = await readFolder(folder, options)
  const user = await readUserSettings()
  if (!read.ok || !user.ok) {
    const problems = [...(read.ok ? [] : read.problems), ...(user.ok ? [] : user.problems)]
    for (const problem of problems) tell(problem, 'error')
    return { ok: false, code: EXIT.usage }
  }
  const { configuration, servers } = read
  const { settings } = user
  for (const warning of read.warnings) tell(warning, 'warning')
  const authority = createAuthority({ configuration, servers, environment: process.env })
  const isAgreed = await openAgreement(context, { configuration, authority, options })
  if (context.signal.aborted) return { ok: false, code: EXIT.cancelled }
  const agreed = selectAgreed({ configuration, servers }, isAgreed, options.named)
  return {
    ok: true,
    workspace: {
      ...agreed,
      written: { configuration, servers },
      isAgreed,
      settings,
      store: chooseStore({ written: configuration, isAgreed: isAgreed('store'), settings }),
      listAuthority: (parts) => parts.flatMap((part) => authority.of(part)),
    },
  }
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

/** Says of a part whether it was agreed to: for this one run, before, or now at the terminal. */
async function openAgreement(
  context: CommandContext,
  {
    configuration,
    authority,
    options: { trust = false, named },
  }: {
    configuration: Configuration
    authority: ReturnType<typeof createAuthority>
    options: WorkspaceOptions
  },
): Promise<(part: Part) => boolean> {
  if (trust || process.env['TOOLBLOCKS_TRUST'] === '1') return () => true
  const agreements = openAgreements(agreementsFile())
  const folder = getKey(configuration)
  const isKnown = (part: Part): boolean =>
    agreements.findNew(folder, authority.of(part)).length === 0
  if (named || !context.terminal.isInteractive) return isKnown
  const entries = authority.list()
  const unknown = agreements.findNew(folder, entries)
  if (unknown.length === 0) return () => true
  const isNew = unknown.length === entries.length
  const question = { configuration, entries: unknown, isNew }
  return (await askToAgree(context, agreements, question)) ? () => true : isKnown
}

/** Shows entries to a person at the terminal and asks whether they agree; a yes is remembered. */
export async function askToAgree(
  context: Pick<CommandContext, 'terminal' | 'signal' | 'interrupt'>,
  agreements: Agreements,
  {
    configuration,
    entries,
    isNew,
  }: {
    configuration: Configuration
    entries: readonly AuthorityEntry[]
    /** Whether nothing in the folder was agreed to before. */
    isNew: boolean
  },
): Promise<boolean> {
  const { terminal } = context
  if (context.signal.aborted) return false
  const isYes = await confirm(context, {
    material: describeAuthority(
      isNew ? `${configuration.root} wants to` : `New in ${configuration.root}: it wants to`,
      entries,
      terminal,
    ),
    question: terminal.style.plain('Do you agree to this?'),
  })
  if (isYes) agreeTo(terminal, agreements, { configuration, entries })
  return isYes
}

/** Remembers a yes; where it cannot be written down, it counts for this run. */
function agreeTo(
  terminal: Terminal,
  agreements: Agreements,
  {
    configuration,
    entries,
  }: { configuration: Pick<Configuration, 'root'>; entries: readonly AuthorityEntry[] },
): void {
  try {
    agreements.agree(getKey(configuration), entries)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    terminal.complain('warning', `your yes cannot be remembered: ${reason}`)
  }
}

/** Agrees to what a command has just written, and to nothing else of the folder. */
export async function agreeToWritten(
  terminal: Terminal,
  configuration: Configuration,
  isWritten: (part: Part) => boolean,
): Promise<void> {
  const { servers } = await readWrittenServers(configuration)
  const authority = createAuthority({ configuration, servers, environment: process.env })
  const entries = authority.list().filter(({ part }) => isWritten(part))
  agreeTo(terminal, openAgreements(agreementsFile()), { configuration, entries })
}

/** The file of this user that remembers what was agreed to. */
export function agreementsFile(): string {
  return settingsFile('trust.json')
}

/** Agreements are about the folder that a path leads to, whatever leads there. */
export function getKey({ root }: Pick<Configuration, 'root'>): string {
  return findRealPath(root) ?? root
}

/** What was agreed to, and the tools that a person named. */
function selectAgreed(
  { configuration, servers }: Workspace['written'],
  isAgreed: (part: Part) => boolean,
  named: readonly string[] | undefined,
): Pick<Workspace, 'configuration' | 'servers'> {
  const { tools, mcp, model, store, agents, ...rest } = configuration
  // Only what was named is looked at: it takes time to find programs.
  const isWanted = (name: string): boolean => named?.includes(name) ?? isAgreed(`tool ${name}`)
  const wanted = named ? servers : servers.filter(({ name }) => isAgreed(`server ${name}`))
  return {
    configuration: {
      ...rest,
      tools: pick(tools, isWanted, (name, tool) =>
        // It would be started for another reason than the one it was named for.
        isAgreed(`tool ${name}`) ? tool : { ...tool, format_arguments: false },
      ),
      mcp: { ...mcp, tools: pick(mcp.tools, isWanted) },
      ...(model && isAgreed('model') && { model }),
      agents: pick(agents, (name) => isAgreed(`agent ${name}`)),
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
