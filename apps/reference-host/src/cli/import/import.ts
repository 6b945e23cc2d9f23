import type { FormatName } from '@toolblocks/conversation-store'
import { joinTerminal, sanitizeTerminalLine } from '@toolblocks/renderer'
import { Presets, SingleBar } from 'cli-progress'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { env, platform } from 'node:process'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import {
  type OpenConversations,
  withConversations,
} from '../../workspace/conversations/with-conversations.ts'
import { describePlan, reportDryRun, reportImportEnd } from './describe-import.ts'
import { choosePlaces, describePlace, discover, joinPlans } from './discover.ts'
import { type ImportPlan, planImport } from './plan-import.ts'
import { type ImportReport, runImport } from './run-import.ts'

/** The options of `toolblocks import`. */
export interface ImportOptions extends SharedOptions {
  from?: FormatName
  dryRun?: boolean
  /** Whether to search the known places on this machine for conversations. */
  discover?: boolean
  /** Whether to import all found conversations without a question. */
  yes?: boolean
}

/** `toolblocks import PATH…`: finds conversations, shows them, imports them, and verifies that all of them arrived. */
export async function importPaths(
  context: CommandContext,
  paths: readonly string[],
  options: ImportOptions,
): Promise<number> {
  try {
    return options.discover
      ? await importDiscovered(context, paths, options)
      : await importNamed(context, paths, options)
  } catch (error) {
    if (context.signal.aborted) return EXIT.cancelled
    throw error
  }
}

async function importNamed(
  context: CommandContext,
  paths: readonly string[],
  options: ImportOptions,
): Promise<number> {
  const { terminal, folder, signal } = context
  if (paths.length === 0) {
    terminal.report('error', 'nothing to import; expected files or folders, or --discover')
    return EXIT.usage
  }
  const { from, output } = options
  const places = paths.map((path) => resolve(folder, path))
  const plan = await planImport(places, { ...(from && { from }), signal })
  // A named file without a conversation is an error of its own.
  const isExplained = plan.files.length === 0 && plan.passedOver === 0 && plan.unread.length > 0
  if (output !== 'json' && !isExplained) terminal.print(describePlan(plan, terminal))
  return await importPlan(plan, context, options)
}

/** `--discover`: lists the conversations of other programs on this machine, and imports the chosen ones. */
async function importDiscovered(
  context: CommandContext,
  paths: readonly string[],
  options: ImportOptions,
): Promise<number> {
  const { terminal, folder, signal } = context
  if (paths.length > 0) {
    terminal.report('error', '--discover searches known places on this machine; expected no paths')
    return EXIT.usage
  }
  const machine = { platform, home: homedir(), environment: env, folder }
  const discovered = await discover(machine, { from: options.from, signal })
  const names = discovered.map(describePlace)
  if (options.output !== 'json')
    terminal.print(
      joinTerminal(
        names.length === 0
          ? [terminal.style.plain('No conversations found.')]
          : names.map((name) => sanitizeTerminalLine(name, { maxLength: Infinity })),
        '\n',
      ),
    )
  if (options.dryRun || options.yes)
    return await importPlan(joinPlans(discovered), context, options)
  const chosen = await choosePlaces(discovered, context)
  if (chosen) return await importPlan(joinPlans(chosen), context, options)
  if (options.output === 'json') return reportDryRun(joinPlans(discovered), context, options)
  if (discovered.length > 0)
    terminal.note(
      terminal.style.dim('Nothing was imported; --yes imports all, --from only one format.'),
    )
  return EXIT.ok
}

async function importPlan(
  plan: ImportPlan,
  context: CommandContext,
  options: ImportOptions,
): Promise<number> {
  // The search for known places lists them without counts.
  const isCounted = options.discover !== true
  if (options.dryRun) return reportDryRun(plan, context, options)
  if (plan.files.length === 0) return reportImportEnd([], plan, { context, options, isCounted })
  return await withConversations(context, { ...options, access: 'write' }, async (opened) => {
    const reports = await importAll(opened, plan, context)
    return reportImportEnd(reports, plan, { context, options, isCounted })
  })
}

async function importAll(
  { store }: OpenConversations,
  { files }: ImportPlan,
  { terminal, signal }: CommandContext,
): Promise<readonly ImportReport[]> {
  const bar = showBar(
    terminal,
    files.reduce((sum, { bytes }) => sum + bytes, 0),
  )
  const reports: ImportReport[] = []
  try {
    for await (const report of runImport(store, files, signal)) {
      reports.push(report)
      bar.add(report.bytes.before)
    }
  } finally {
    bar.end()
  }
  return reports
}

/** Shows a bar that grows with the read bytes, if a person is at the terminal. */
function showBar(
  { progress, colors }: Terminal,
  total: number,
): { add(bytes: number): void; end(): void } {
  if (!progress) return { add: () => {}, end: () => {} }
  const bar = new SingleBar(
    {
      stream: progress,
      format: 'Importing {bar} {percentage} %',
      clearOnComplete: true,
      hideCursor: true,
      // The host handles the signals that end the process.
      gracefulExit: false,
    },
    colors === 'ansi' ? Presets.shades_classic : Presets.legacy,
  )
  bar.start(Math.max(1, total), 0)
  return {
    add: (bytes) => bar.increment(bytes),
    end: () => bar.stop(),
  }
}
