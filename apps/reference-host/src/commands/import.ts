import { resolve } from 'node:path'
import type { FormatName } from '@toolblocks/conversation-store/import'
import {
  type OpenConversations,
  withConversations,
} from '../conversations/open/with-conversations.ts'
import { EXIT } from '../exit-codes.ts'
import { describeDifference, describePlan, describeReports } from '../import/describe-import.ts'
import { type ImportPlan, planImport } from '../import/plan-import.ts'
import { type ImportReport, runImport } from '../import/run-import.ts'
import { showBar } from '../import/show-bar.ts'
import type { CommandContext, SharedOptions } from './command-context.ts'

/** What was typed after `toolblocks import`. */
export interface ImportOptions extends SharedOptions {
  from?: FormatName
  dryRun?: boolean
}

/** `toolblocks import PATH…`: finds conversations, shows what there is, imports them and proves that all of it arrived. */
export async function importPaths(
  context: CommandContext,
  paths: readonly string[],
  options: ImportOptions,
): Promise<number> {
  const { terminal, folder, signal } = context
  if (paths.length === 0) {
    terminal.complain('error', 'nothing to import; expected files or folders')
    return EXIT.usage
  }
  const { from, dryRun, output } = options
  const places = paths.map((path) => resolve(folder, path))
  const plan = planImport(places, { ...(from && { from }), signal })
  if (output !== 'json') terminal.print(describePlan(plan, terminal))
  if (dryRun) return tellDryRun(plan, context, options)
  if (plan.files.length === 0) return tellEnd([], plan, { context, options })
  return await withConversations(context, { ...options, access: 'write' }, async (opened) => {
    const reports = await importAll(opened, plan, context)
    return tellEnd(reports, plan, { context, options })
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

function tellDryRun(
  { files, unread }: ImportPlan,
  context: CommandContext,
  { output }: ImportOptions,
): number {
  const conversations = files.flatMap(({ path, format, conversations: found }) =>
    found.map(({ id, before, problems }) => ({
      source: path,
      format,
      conversation: id,
      before,
      warnings: problems,
    })),
  )
  if (output === 'json') context.terminal.printJson({ conversations, unread })
  else tellWarnings(conversations, context)
  return tellUnread(unread, context)
}

function tellEnd(
  reports: readonly ImportReport[],
  { unread }: ImportPlan,
  { context, options }: { context: CommandContext; options: ImportOptions },
): number {
  const { terminal } = context
  const different = reports.filter(({ isSame }) => !isSame)
  if (options.output === 'json') {
    const conversations = reports.map(({ isSame: _isSame, ...report }) => report)
    terminal.printJson({ conversations, unread })
  } else {
    tellWarnings(reports, context)
    if (reports.length > 0) terminal.print(describeReports(reports, terminal))
  }
  for (const report of different) terminal.complain('error', describeDifference(report))
  const code = tellUnread(unread, context)
  return different.length > 0 ? EXIT.failed : code
}

function tellUnread(unread: ImportPlan['unread'], { terminal }: CommandContext): number {
  for (const { source, message } of unread) terminal.complain('error', `${source}: ${message}`)
  return unread.length > 0 ? EXIT.failed : EXIT.ok
}

/** Of one conversation; JSON has all. */
const MOST_WARNINGS = 5

function tellWarnings(
  read: readonly Pick<ImportReport, 'source' | 'warnings'>[],
  { terminal }: CommandContext,
): void {
  for (const { source, warnings } of read) {
    for (const { path, message } of warnings.slice(0, MOST_WARNINGS))
      terminal.complain('warning', `${source}, record ${path.slice(1)}: ${message}`)
    const more = warnings.length - MOST_WARNINGS
    if (more > 0)
      terminal.complain('warning', `${source}: ${more} more; --output json names them all`)
  }
}
