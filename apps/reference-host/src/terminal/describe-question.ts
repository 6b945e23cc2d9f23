import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import type { TerminalText } from '@toolblocks/protocol'
import { escapeUnprintable } from '@toolblocks/protocol/json'
import { indentTerminal, joinTerminal, wrapTerminal } from '@toolblocks/renderer'
import { describeHost } from '../process/agent-host.ts'
import { describeArguments, firstRow } from './describe-call.ts'
import type { Terminal } from './terminal.ts'

/** Describes what is asked, in one line: `fs_delete asks: Really delete it?` or `fs_delete needs approval: path=a.txt`. */
export function describeAsked({
  kind,
  call,
  server,
  agents = [],
  request,
}: PendingQuestion): string {
  const who = [...agents.map((agent) => `agent ${agent}`), call.name].join(', ')
  if (kind === 'approval') {
    const values = describeArguments(call.arguments)
    return `${who} needs approval${values === '' ? '' : `: ${values}`}`
  }
  const [line = ''] = request.text.trim().split(/[\r\n]/)
  return `${who}${server === undefined ? '' : ` (server ${server})`} asks: ${line}`
}

/** Describes, in one sentence, how a question was settled, and where. */
export function describeSettled({ kind, state, settled }: PendingQuestion): string {
  const { by = '', value, reason } = settled ?? {}
  const place = describePlace(by)
  const why = reason === undefined ? '' : `: ${reason}`
  switch (state) {
    case 'open':
      return 'The question is open.'
    case 'answered': {
      if (kind === 'approval') return `Allowed ${place}${why}.`
      const said = value === undefined ? '' : `: ${escapeUnprintable(JSON.stringify(value))}`
      return `Answered ${place}${said}.`
    }
    case 'declined':
      return `${kind === 'approval' ? 'Denied' : 'Declined'} ${place}${why}.`
    case 'expired':
      return 'The question has expired: no answer came in time.'
    case 'withdrawn':
      return `Withdrawn ${place}${why}.`
  }
}

function describePlace(by: string): string {
  switch (by) {
    case 'terminal':
      return 'at a terminal with "toolblocks questions"'
    case 'command':
      return 'by a "toolblocks questions" command'
    case 'page':
      return 'on a page'
    default:
      return `by ${describeHost(by)}`
  }
}

/** Describes a question and its facts in a few rows. */
export function describePending(
  question: PendingQuestion,
  { style, columns }: Pick<Terminal, 'style' | 'columns'>,
  { facts = [], now }: { facts?: readonly string[]; now: Date },
): TerminalText {
  const { id, state, settled, askedAt, expiresAt } = question
  const heading = joinTerminal([style.cyan(id), style.bold(describeAsked(question))], '  ')
  const times = [
    ...facts,
    `asked ${describeAge(askedAt, now)}`,
    ...(state === 'open' && expiresAt !== undefined
      ? [`expires ${describeAge(expiresAt, now)}`]
      : []),
    ...(state === 'open' ? [] : [`${state} ${describeAge(settled?.at ?? askedAt, now)}`]),
    ...(question.isLocal && state === 'open' ? ['only at a terminal of its conversation'] : []),
  ]
  const rows = [
    firstRow(heading, columns),
    indentTerminal(style.dim(times.join(' · ')), INDENT),
  ].map((row) => wrapTerminal(row, columns, INDENT))
  return joinTerminal(rows, '\n')
}

const INDENT = '  '

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['min', 60_000],
] as const

/** Describes a time relative to now: `3 min ago`, `in 2 days`, `just now`. */
function describeAge(at: string, now: Date): string {
  const distance = Date.parse(at) - now.getTime()
  const [unit, length] = UNITS.find(([, each]) => Math.abs(distance) >= each) ?? []
  if (unit === undefined || length === undefined)
    return distance > 0 ? 'in less than 1 min' : 'just now'
  const count = Math.floor(Math.abs(distance) / length)
  const many = `${count} ${unit}${count === 1 || unit === 'min' ? '' : 's'}`
  return distance > 0 ? `in ${many}` : `${many} ago`
}
