import type { Counts, FormatName } from '@toolblocks/conversation-store/import'
import { sizeInWords, type TerminalText } from '@toolblocks/protocol'
import { indentTerminal, joinTerminal } from '@toolblocks/renderer'
import type { Terminal } from '../terminal/terminal.ts'
import { COUNT_WORDS, countOf } from './count-words.ts'
import type { ImportPlan, PlannedFile } from './plan-import.ts'
import type { ImportReport } from './run-import.ts'

/** What was found, by format. */
export function describePlan({ files, passedOver }: ImportPlan, terminal: Terminal): TerminalText {
  const { style } = terminal
  const formats = [...new Set(files.map(({ format }) => format))]
  const lines = formats.map((format) => describeFormat(format, files, terminal))
  const rest =
    passedOver === 0 ? [] : [style.dim(`${countOf(passedOver, 'other file')} passed over.`)]
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
  const head = `${format}: ${countOf(conversations.length, 'conversation')} in ${countOf(own.length, 'file')}, ${sizeInWords(bytes)}`
  const counts = describeCounts(conversations.map(({ before }) => before))
  return indentTerminal(joinTerminal([style.plain(head), indentTerminal(style.dim(counts))], '\n'))
}

function describeCounts(counts: readonly Counts[]): string {
  const parts = COUNT_WORDS.map(([name, one, many]) => {
    const sum = counts.reduce((total, each) => total + each[name], 0)
    return sum === 0 ? '' : countOf(sum, one, many)
  })
  return parts.filter((part) => part !== '').join(', ') || 'nothing'
}

/** What came of it. */
export function describeReports(
  reports: readonly ImportReport[],
  { style }: Terminal,
): TerminalText {
  const states = {
    imported: 'imported',
    extended: 'continued',
    present: 'there already',
  } as const
  const parts = Object.entries(states)
    .map(([state, words]) => ({ words, many: reports.filter((report) => report.state === state) }))
    .filter(({ many }) => many.length > 0)
    .map(({ words, many }) => `${many.length} ${words}`)
  const added = reports.reduce((sum, report) => sum + report.added, 0)
  const text = `${countOf(reports.length, 'conversation')}: ${parts.join(', ')}; ${countOf(added, 'event')} added`
  const isSame = reports.every((report) => report.isSame)
  return isSame ? style.green(`✓ ${text}, all as counted before`) : style.red(`✗ ${text}`)
}

/** What the store has otherwise than it was counted. */
export function describeDifference({ conversation, before, after, bytes }: ImportReport): string {
  const kinds = COUNT_WORDS.filter(([name]) => before[name] !== after[name]).map(
    ([name]) => `${name}: ${before[name]} before, ${after[name]} after`,
  )
  const sizes =
    bytes.before === bytes.after ? [] : [`bytes: ${bytes.before} before, ${bytes.after} after`]
  return `${conversation} is not in the store as it was counted: ${[...kinds, ...sizes].join('; ')}`
}
