import { formatCount, COUNT_WORDS } from './count-words.ts'
import type { ConversationCounts } from '@toolblocks/session-import'
import type { FormatName } from '@toolblocks/conversation-store'
import { type TerminalText } from '@toolblocks/protocol'
import { formatByteSize } from '@toolblocks/protocol/internal'
import { indentTerminal, joinTerminal, sanitizeTerminalLine } from '@toolblocks/renderer'
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
  return sum === 0 ? [] : [indentTerminal(style.dim(formatCount(sum, one, many)))]
}

/** The maximum number of files that are listed one by one. JSON lists all. */
const MAX_FILES = 100

/**
 * Describes the result of an import: a line for each file, and one for all. What the plan has shown of the only file is not repeated. A file with
 * records that were not understood has a mark of its own.
 */
function describeReports(
  reports: readonly ImportReport[],
  { style }: Terminal,
  { folder, isCounted }: { folder: string; isCounted: boolean },
): TerminalText {
  const parts = Object.entries(STATES)
    .map(([state, label]) => ({
      label,
      many: reports.filter((report) => report.state === state),
    }))
    .filter(({ many }) => many.length > 0)
    .map(({ label, many }) => `${many.length} ${label}`)
  const added = reports.reduce((sum, report) => sum + report.added, 0)
  const isSame = reports.every((report) => report.isSame)
  const proven = `${formatCount(added, 'event')} added${isSame ? ', all as counted before' : ''}`
  const files = [...Map.groupBy(reports, ({ source }) => source)]
  const describeCounted = (own: readonly ImportReport[]): readonly TerminalText[] =>
    isCounted && files.length === 1 ? [] : describeFile(own, style)
  const [only, ...others] = reports
  if (only && others.length === 0) {
    const line = `${shortPath(only.source, folder)}: ${STATES[only.state]}; ${proven}`
    return joinTerminal([mark(line, reports, style), ...describeCounted(reports)], '\n')
  }
  const lines = files
    .slice(0, MAX_FILES)
    .flatMap(([source, own]) => [
      mark(shortPath(source, folder), own, style),
      ...describeCounted(own),
    ])
  const left = files.length - MAX_FILES
  const more =
    left > 0 ? [style.dim(`… and ${formatCount(left, 'more file')}; --output json lists all`)] : []
  const text = `${formatCount(reports.length, 'conversation')}: ${parts.join(', ')}; ${proven}`
  return joinTerminal([...lines, ...more, mark(text, reports, style)], '\n')
}

const STATES: Readonly<Record<ImportReport['state'], string>> = {
  imported: 'imported',
  extended: 'continued',
  present: 'already there',
}

function describeFile(
  reports: readonly ImportReport[],
  style: Terminal['style'],
): readonly TerminalText[] {
  const after = reports.map((report) => report.after)
  const many = reports.length === 1 ? '' : `${formatCount(reports.length, 'conversation')}, `
  const counts = style.dim(`${many}${describeCounts(after)}`)
  return [indentTerminal(counts), ...describeUnknown(after, style)]
}

/** Returns a line with its mark, which is "✓" only if all records were understood. */
function mark(
  text: string,
  reports: readonly ImportReport[],
  style: Terminal['style'],
): TerminalText {
  if (reports.some(({ isSame }) => !isSame)) return style.red(`✗ ${text}`)
  return reports.some(({ after }) => after.unknown > 0)
    ? style.plain(`• ${text}`)
    : style.green(`✓ ${text}`)
}

/** Names the commands that show what was imported. */
function describeNext(
  reports: readonly ImportReport[],
  { command }: Pick<CommandContext, 'command'>,
): TerminalText {
  const [only, ...others] = reports
  const text =
    only && others.length === 0
      ? `"${command} conversations show ${only.conversation}" shows it here, "${command} view ${only.conversation}" in your browser.`
      : `"${command} conversations list" lists them, "${command} view" shows them in your browser.`
  return sanitizeTerminalLine(text, { maxLength: Infinity })
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
  {
    context,
    options,
    isCounted,
  }: {
    context: CommandContext
    options: SharedOptions
    /** Whether the counts of the plan were shown before. */
    isCounted: boolean
  },
): number {
  const { terminal } = context
  const different = reports.filter(({ isSame }) => !isSame)
  if (options.output === 'json') {
    const conversations = reports.map(({ isSame: _isSame, ...report }) => report)
    terminal.printJson({ conversations, unread })
  } else {
    reportWarnings(reports, context)
    if (reports.length > 0) {
      terminal.print(describeReports(reports, terminal, { folder: context.folder, isCounted }))
      terminal.note(describeNext(reports, context))
    }
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
