import type { CommandContext, SharedOptions } from '../commands/command-context.ts'
import { EXIT } from '../exit-codes.ts'
import { describeDifference, describeReports } from './describe-import.ts'
import type { ImportPlan } from './plan-import.ts'
import type { ImportReport } from './run-import.ts'

/** Tells what an import would bring. */
export function tellDryRun(
  { files, unread }: ImportPlan,
  context: CommandContext,
  { output }: SharedOptions,
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

/** Tells what an import has brought, and what of it is not as it was counted. */
export function tellEnd(
  reports: readonly ImportReport[],
  { unread }: ImportPlan,
  { context, options }: { context: CommandContext; options: SharedOptions },
): number {
  const { terminal } = context
  const different = reports.filter(({ isSame }) => !isSame)
  if (options.output === 'json') {
    const conversations = reports.map(({ isSame: _isSame, ...report }) => report)
    terminal.printJson({ conversations, unread })
  } else {
    tellWarnings(reports, context)
    if (reports.length > 0) terminal.print(describeReports(reports, terminal, context.folder))
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
