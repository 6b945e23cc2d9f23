import { formatCount, COUNT_WORDS } from './count-words.ts'
import type { ConversationCounts } from '@toolblocks/session-import'
import type { FormatName } from '@toolblocks/conversation-store'
import { type TerminalText } from '@toolblocks/protocol'
import { formatByteSize } from '@toolblocks/protocol/internal'
import { indentTerminal, joinTerminal } from '@toolblocks/renderer'
import { relative } from 'node:path'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { ImportPlan, PlannedFile } from './plan-import.ts'
import type { ImportReport } from './run-import.ts'

/** Describes the found conversations, by format. */
export function describePlan({ files, passedOver }: ImportPlan, terminal: Terminal): TerminalText {
  const { style } = terminal
  const formats = [...new Set(files.map(({ format }) => format))]
  const lines = formats.map((format) => describeFormat(format, files, terminal))
  const rest =
    passedOver === 0 ? [] : [style.dim(`${formatCount(passedOver, 'other file')} skipped.`)]
  if (files.length === 0)
    return joinTerminal([style.plain('No conversations found.'), ...rest], '\n')
  return joinTerminal([style.plain('Found:'), ...lines, ...rest], '\n')
}

function describeFormat(
  format: FormatName,
  files: readonly PlannedFile[],
  { style }: Terminal,
): TerminalText {
  const own = files.filter((file) => file.format === format)
  const conversations = own.flatMap((file) => file.conversations)
  const bytes = own.reduce((sum, file) => sum + file.bytes, 0)
  const head = `${format}: ${formatCount(conversations.length, 'conversation')} in ${formatCount(own.length, 'file')}, ${formatByteSize(bytes)}`
  const counts = conversations.map(({ before }) => before)
  const lines = [
    indentTerminal(style.dim(describeCounts(counts))),
    ...describeUnknown(counts, style),
  ]
  return indentTerminal(joinTerminal([style.plain(head), ...lines], '\n'))
}

function describeCounts(counts: readonly ConversationCounts[]): string {
  const parts = COUNT_WORDS.filter(([name]) => name !== 'unknown').map(([name, one, many]) => {
    const sum = counts.reduce((total, each) => total + each[name], 0)
    return sum === 0 ? '' : formatCount(sum, one, many)
  })
  return parts.filter((part) => part !== '').join(', ') || 'nothing'
}

/** Describes the records that were stored without being understood, on a line of its own. */
function describeUnknown(
  counts: readonly ConversationCounts[],
  style: Terminal['style'],
): TerminalText[] {
  const sum = counts.reduce((total, { unknown }) => total + unknown, 0)
  const [, one = '', many = ''] = COUNT_WORDS.find(([name]) => name === 'unknown') ?? []
  return sum === 0 ? [] : [indentTerminal(style.yellow(formatCount(sum, one, many)))]
}

/** The maximum number of files that are listed one by one. JSON lists all. */
const MAX_FILES = 100

/** Describes the result of an import: a line for each file, and one for all. Records that were not understood get a mark of their own. */
function describeReports(
  reports: readonly ImportReport[],
  { style }: Terminal,
  folder: string,
): TerminalText {
  const states = {
    imported: 'imported',
    extended: 'continued',
    present: 'already there',
  } as const
  const parts = Object.entries(states)
    .map(([state, label]) => ({
      label,
      many: reports.filter((report) => report.state === state),
    }))
    .filter(({ many }) => many.length > 0)
    .map(({ label, many }) => `${many.length} ${label}`)
  const added = reports.reduce((sum, report) => sum + report.added, 0)
  const isSame = reports.every((report) => report.isSame)
  const proven = isSame ? ', all as counted before' : ''
  const text = `${formatCount(reports.length, 'conversation')}: ${parts.join(', ')}; ${formatCount(added, 'event')} added${proven}`
  const files = [...Map.groupBy(reports, ({ source }) => source)]
  const lines = files
    .slice(0, MAX_FILES)
    .map(([source, own]) => describeFile(shortPath(source, folder), own, style))
  const left = files.length - MAX_FILES
  const more =
    left > 0 ? [style.dim(`… and ${formatCount(left, 'more file')}; --output json lists all`)] : []
  return joinTerminal([...lines, ...more, ...marked(text, reports, style)], '\n')
}

function describeFile(
  path: string,
  reports: readonly ImportReport[],
  style: Terminal['style'],
): TerminalText {
  const many = reports.length === 1 ? '' : `${formatCount(reports.length, 'conversation')}, `
  const counts = `${many}${describeCounts(reports.map(({ after }) => after))}`
  const [line, ...kept] = marked(path, reports, style)
  return joinTerminal([line, indentTerminal(style.dim(counts)), ...kept], '\n')
}

/** Returns a line with its mark. Records that were not understood are listed below it, and then the mark is not "✓". */
function marked(
  text: string,
  reports: readonly ImportReport[],
  style: Terminal['style'],
): [line: TerminalText, ...kept: TerminalText[]] {
  const kept = describeUnknown(
    reports.map(({ after }) => after),
    style,
  )
  if (reports.some(({ isSame }) => !isSame)) return [style.red(`✗ ${text}`), ...kept]
  if (kept.length > 0) return [style.yellow(`! ${text}`), ...kept]
  return [style.green(`✓ ${text}`)]
}

/** Shortens a path to one relative to the current folder, if it is below that folder. */
function shortPath(path: string, folder: string): string {
  const below = relative(folder, path)
  return below === '' || below.startsWith('..') ? path : below
}

/** Describes the differences between the counts of the source and of the store. */
function describeDifference({ conversation, before, after, bytes }: ImportReport): string {
  const kinds = COUNT_WORDS.filter(([name]) => before[name] !== after[name]).map(
    ([name]) => `${name}: ${before[name]} before, ${after[name]} after`,
  )
  const sizes =
    bytes.before === bytes.after ? [] : [`bytes: ${bytes.before} before, ${bytes.after} after`]
  return `the counts of ${conversation} in the store differ from the counts of the source: ${[...kinds, ...sizes].join('; ')}`
}

/** Reports what an import would store. */
export function reportDryRun(
  { files, unread }: ImportPlan,
  context: CommandContext,
  { output }: SharedOptions,
): number {
  const conversations = files.flatMap(({ path, format, conversations: planned }) =>
    planned.map(({ id, before, problems }) => ({
      source: path,
      format,
      conversation: id,
      before,
      warnings: problems,
    })),
  )
  if (output === 'json') context.terminal.printJson({ conversations, unread })
  else reportWarnings(conversations, context)
  return reportUnread(unread, context)
}

/** Reports what an import has stored, and what differs from its counts. */
export function reportImportEnd(
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
    reportWarnings(reports, context)
    if (reports.length > 0) terminal.print(describeReports(reports, terminal, context.folder))
  }
  for (const report of different) terminal.report('error', describeDifference(report))
  const code = reportUnread(unread, context)
  return different.length > 0 ? EXIT.failed : code
}

function reportUnread(unread: ImportPlan['unread'], { terminal }: CommandContext): number {
  for (const { source, message } of unread) terminal.report('error', `${source}: ${message}`)
  return unread.length > 0 ? EXIT.failed : EXIT.ok
}

/** The maximum number of warnings of one conversation. JSON lists all. */
const MAX_WARNINGS = 5

function reportWarnings(
  read: readonly Pick<ImportReport, 'source' | 'warnings'>[],
  { terminal }: CommandContext,
): void {
  for (const { source, warnings } of read) {
    for (const { path, message } of warnings.slice(0, MAX_WARNINGS))
      terminal.report('warning', `${source}, record ${path.slice(1)}: ${message}`)
    const more = warnings.length - MAX_WARNINGS
    if (more > 0) terminal.report('warning', `${source}: ${more} more; --output json lists all`)
  }
}
