import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import type { TerminalText } from '@toolblocks/protocol'
import { indentTerminal, joinTerminal, wrapTerminal } from '@toolblocks/renderer'
import { describeAsked, describeSettlement, describeTimes } from '@toolblocks/viewer/questions'
import { describeHost } from '../process/agent-host.ts'
import { firstRow } from './describe-call.ts'
import type { Terminal } from './terminal.ts'

/** Describes, in one sentence, how a question was settled, and where. */
export function describeSettled(question: PendingQuestion): string {
  return describeSettlement(question, describeHost)
}

/** Describes a question and its facts in a few rows. `isAsked`: whether a host asks it now, if that is known. */
export function describePending(
  question: PendingQuestion & { isAsked?: boolean },
  { style, columns }: Pick<Terminal, 'style' | 'columns'>,
  { facts = [], now }: { facts?: readonly string[]; now: Date },
): TerminalText {
  const heading = joinTerminal([style.cyan(question.id), style.bold(describeAsked(question))], '  ')
  const times = [...facts, ...describeTimes(question, now)]
  const rows = [
    firstRow(heading, columns),
    indentTerminal(style.dim(times.join(' · ')), INDENT),
  ].map((row) => wrapTerminal(row, columns, INDENT))
  return joinTerminal(rows, '\n')
}

const INDENT = '  '
