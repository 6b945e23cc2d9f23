import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import type { TerminalText } from '@toolblocks/protocol'
import { indentTerminal, joinTerminal, wrapTerminal } from '@toolblocks/renderer'
import { describeAsked, describeSettlement, describeTimes } from '@toolblocks/viewer/questions'
import { describeHost } from '../process/agent-host.ts'
import { firstRow, renderRows } from './describe-call.ts'
import type { Terminal } from './terminal.ts'

/** Describes, in one sentence, how a question was settled, and where. */
export function describeSettled(question: PendingQuestion): string {
  return describeSettlement(question, describeHost)
}

/** Describes a question and its facts in a few rows. `isAsked`: whether a host asks it now, if that is known. */
export function describePending(
  question: PendingQuestion & { isAsked?: boolean },
  { style, columns }: Pick<Terminal, 'style' | 'columns'>,
  {
    facts = [],
    more = [],
    now,
  }: {
    /** Before its times. */
    facts?: readonly string[]
    /** After its times. */
    more?: readonly string[]
    now: Date
  },
): TerminalText {
  const heading = joinTerminal([style.cyan(question.id), style.bold(describeAsked(question))], '  ')
  const times = [...facts, ...describeTimes(question, now), ...more]
  const details = wrapTerminal(
    indentTerminal(style.dim(times.join(' · ')), INDENT),
    columns,
    INDENT,
  )
  return joinTerminal([shortenHeading(heading, columns), details], '\n')
}

const INDENT = '  '

/** The columns that a heading may fill, in as many rows as that takes: in a narrow terminal, one row would show little more than the id. */
const HEADING_COLUMNS = 160

function shortenHeading(heading: TerminalText, columns: number): TerminalText {
  const count = Math.max(1, Math.ceil(HEADING_COLUMNS / columns))
  const rows = renderRows(wrapTerminal(heading, columns, INDENT), columns)
  if (rows.length <= count) return joinTerminal(rows, '\n')
  const last = firstRow(joinTerminal(rows.slice(count - 1, count + 1), ' '), columns)
  return joinTerminal([...rows.slice(0, count - 1), last], '\n')
}
