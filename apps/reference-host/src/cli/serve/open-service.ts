import { randomUUID } from 'node:crypto'
import type { ToolEntry } from '@toolblocks/tool-executor'
import type { CommandContext } from '../../terminal/command-context.ts'
import { type ChosenStore, chooseStore } from '../../workspace/choose-store.ts'
import { DEFER_ABOVE, deferAbove } from '../../workspace/configuration/agent-settings.ts'
import { describeProblem } from '../../workspace/configuration/configuration.ts'
import { unconfigured } from '../../workspace/configuration/load-configuration.ts'
import { readUserSettings } from '../../workspace/configuration/user-settings.ts'
import { openRecord } from '../../workspace/conversations/record-call.ts'
import { openTools } from '../../workspace/open-tools.ts'
import type { UnavailableTool } from '../../workspace/tools/unavailable-tool.ts'
import { reportWaitingFeatures, reportWaitingStore } from '../../workspace/waiting-parts.ts'
import type { ServiceOptions } from './create-service.ts'
import { type GroupedRecord, groupRecord } from './group-record.ts'
import { openLocalFeatures } from './local-features.ts'
import { openPrograms } from './open-programs.ts'
import { refuse } from '../../terminal/refuse.ts'
import { getServerWords, type ServeOptions } from './serve-options.ts'

/** What a service offers, or the exit code if it cannot be opened. The error was already reported. */
export type OpenedService =
  | ({
      ok: true
      entries: readonly ToolEntry[]
      /** Returns the current tools after a change of a server; `undefined` if nothing has changed. */
      renew?(): Promise<readonly ToolEntry[] | undefined>
      close(): Promise<void>
      configurationFile?: string
      /** The name of the only server that was typed. */
      name?: string
      /** The words of the command line that name servers, for a host that starts the command in any folder. */
      words?: readonly string[]
    } & Omit<ServiceOptions, 'version' | 'approval'>)
  | { ok: false; code: number }

/** Characters of a result that fit into the window of every model. */
const MAX_RESULT = 100_000

/** Serves the servers that were named, as one server. */
export async function openNamedServers(
  context: CommandContext,
  options: ServeOptions,
  onChange: () => void,
): Promise<OpenedService> {
  const { openTypedServers, toAbsoluteServer } = await import('./open-typed-servers.ts')
  const user = await readUserSettings()
  if (!user.ok)
    return { ok: false, code: refuse(context.terminal, user.problems.map(describeProblem)) }
  const opened = await openTypedServers(context, options, onChange)
  if (!opened.ok) return opened
  const { entries, servers, gateway, renew, close } = opened
  const warn = (message: string): void => context.terminal.report('warning', message)
  const conversation = randomUUID()
  const written = unconfigured(context.folder)
  const chosen = chooseStore({ written, isAgreed: true, settings: user.settings })
  const [only, ...others] = servers
  const info = others.length === 0 ? only?.info : undefined
  const typed = (options.server ?? []).map((text) => toAbsoluteServer(text, context.folder))
  const instructions = servers.flatMap((server) => server.instructions ?? [])
  return {
    ok: true,
    entries,
    servers,
    gateway,
    ...(info && { identity: { ...info } }),
    ...(only && others.length === 0 && { name: only.name }),
    words: getServerWords({ ...options, server: typed }),
    ...(instructions.length > 0 && { instructions: instructions.join('\n\n') }),
    record:
      options.record === false
        ? UNRECORDED
        : await openGroupedRecord(chosen, conversation, {
            warn,
            isMasked: options.maskSecrets === true,
          }),
    conversation,
    root: context.folder,
    deferAbove: options.deferAbove ?? DEFER_ABOVE,
    maxResult: MAX_RESULT,
    renew: async () => renew(),
    close,
  }
}

/** Records also in the default store: the command line has named no other. */
async function openGroupedRecord(
  chosen: ChosenStore,
  conversation: string,
  { warn, isMasked }: { warn: (message: string) => void; isMasked: boolean },
): Promise<GroupedRecord> {
  const store: ChosenStore =
    chosen.kind === 'waiting' ? chosen : { kind: 'written', address: chosen.address }
  const record = await openRecord(store, conversation, warn)
  if (!isMasked || !record.store) return groupRecord(record)
  const { maskRecord } = await import('./mask-record.ts')
  return groupRecord(maskRecord(record, warn))
}

/** Serves the programs that were named. */
export async function openNamedPrograms(
  { folder, signal, terminal }: CommandContext,
  programs: readonly string[],
): Promise<OpenedService> {
  const opened = await openPrograms(programs, {
    folder,
    signal,
    tell: (message) => terminal.report('warning', message),
  })
  if (!opened.ok) return { ok: false, code: refuse(terminal, opened.messages) }
  return {
    ok: true,
    entries: opened.entries,
    root: folder,
    servers: [],
    record: UNRECORDED,
    close: async () => {},
  }
}

/** Serves the tools of the configuration. */
export async function openConfigured(
  context: CommandContext,
  options: ServeOptions,
  onChange: () => void,
): Promise<OpenedService> {
  const { createGateway } = await import('@toolblocks/mcp-bridge/gateway')
  const gateway = createGateway()
  const opened = await openTools(context, { ...options, hooks: gateway.createHooks, onChange })
  if (!opened.ok) return opened
  const { entries, readers, servers, configuration, workspace, left } = opened
  const warn = (message: string): void => context.terminal.report('warning', message)
  gateway.setServers(servers, openLocalFeatures(configuration, warn))
  const withReaders = (given: typeof entries): readonly ToolEntry[] => {
    const names = new Set(given.map(({ tool }) => tool.name))
    return [...given, ...readers.filter(({ tool }) => !names.has(tool.name))]
  }
  reportWaitingStore(workspace, warn)
  reportWaitingFeatures(workspace, warn)
  const conversation = randomUUID()
  return {
    ok: true,
    entries: withReaders(entries),
    servers,
    gateway,
    renew: async () => {
      const current = await opened.renew()
      return current && withReaders(current)
    },
    conversation,
    ...(configuration.budget.per_result !== undefined && {
      maxResult: configuration.budget.per_result,
    }),
    ...describeWaiting(left, configuration.root),
    record: await openRecord(workspace.store, conversation, warn),
    root: configuration.root,
    deferAbove: options.deferAbove ?? deferAbove(configuration),
    configurationFile: configuration.file,
    close: async () => {
      await Promise.all([opened.settled(), opened.close()])
    },
  }
}

/** Describes the tools that wait for agreement, for the client's model, which can tell its user. */
function describeWaiting(
  left: readonly UnavailableTool[],
  root: string,
): Pick<ServiceOptions, 'instructions'> {
  const count = left.filter(({ reason }) => reason === 'waiting').length
  if (count === 0) return {}
  // Their names come from the folder, so no model reads them before the user agrees.
  return {
    instructions: `${count} of the tools and servers of this folder are not available, because the user has not agreed to them. To agree, the user runs "toolblocks trust" in a terminal in ${JSON.stringify(root)}, and then restarts this server.`,
  }
}

/** Programs that were named have no configuration, and so no store. */
const UNRECORDED: ServiceOptions['record'] = { record: async () => {}, close: async () => {} }
