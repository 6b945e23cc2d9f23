import type { AskingClient, PendingQuestion } from '@toolblocks/inquiry/pending'
import { escapeUnprintable, shortenText } from '@toolblocks/protocol/internal'
import { summarizeArguments } from '@toolblocks/renderer/internal'

/**
 * Describes what is asked, in one line: `fs_delete asks: Really delete it?` or `fs_delete (server files, client "Host 1.0") needs approval:
 * path=a.txt`.
 */
export function describeAsked({
  kind,
  call,
  server,
  client,
  agents = [],
  request,
}: PendingQuestion): string {
  const origin = [
    ...(server === undefined ? [] : [`server ${server}`]),
    ...(client ? [`client ${JSON.stringify(describeClient(client))}`] : []),
  ]
  const caller = [...agents.map((agent) => `agent ${agent}`), call.name].join(', ')
  const who = origin.length === 0 ? caller : `${caller} (${origin.join(', ')})`
  if (kind === 'approval') {
    const values = summarizeArguments(call.arguments)
    return `${who} needs approval${values === '' ? '' : `: ${values}`}`
  }
  const [line = ''] = request.text.trim().split(/[\r\n]/)
  return `${who} asks: ${line}`
}

/** Maximum characters of a name that a client says of itself. */
const MAX_CLIENT_NAME = 80

/** Describes a client as it names itself: `claude-code 2.1.0`. */
export function describeClient({ name, version = '' }: AskingClient): string {
  return shortenText(`${name} ${version}`.trim(), MAX_CLIENT_NAME)
}

/** Describes, in one sentence, how a question was settled, and where. `describeHost` describes the name of a host. */
export function describeSettlement(
  { kind, state, settled }: PendingQuestion,
  describeHost: (host: string) => string,
): string {
  const { by = '', value, reason } = settled ?? {}
  const source = describePlace(by, describeHost)
  const why = reason === undefined ? '' : `: ${reason}`
  switch (state) {
    case 'open':
      return 'The question is open.'
    case 'answered': {
      if (kind === 'approval') return `Allowed ${source}${why}.`
      const valueText = value === undefined ? '' : `: ${escapeUnprintable(JSON.stringify(value))}`
      return `Answered ${source}${valueText}.`
    }
    case 'declined':
      return `${kind === 'approval' ? 'Denied' : 'Declined'} ${source}${why}.`
    case 'expired':
      return 'The question has expired: no answer came in time.'
    case 'withdrawn':
      // The reason says that its host has ended.
      return by === 'lease' ? `Withdrawn${why}.` : `Withdrawn ${source}${why}.`
  }
}

/** Before the name of a person who has answered on a page of a service. */
const PAGE_OF = 'page:'

function describePlace(by: string, describeHost: (host: string) => string): string {
  switch (by) {
    case 'terminal':
      return 'at a terminal with "toolblocks questions"'
    case 'command':
      return 'by a "toolblocks questions" command'
    case 'page':
      return 'on a page'
    default:
      if (by.startsWith(PAGE_OF)) return `on a page by ${by.slice(PAGE_OF.length)}`
      return `by ${describeHost(by)}`
  }
}

/**
 * Describes when a question was asked, when it expires or how it ended, relative to now, and whether it is answered at a terminal only. `isAsked`: whether
 * a host asks it now, if that is known.
 */
export function describeTimes(
  { state, settled, askedAt, expiresAt, isLocal, isAsked }: PendingQuestion & { isAsked?: boolean },
  now: Date,
): readonly string[] {
  return [
    `asked ${describeAge(askedAt, now)}`,
    ...(state === 'open' && expiresAt !== undefined
      ? [`expires ${describeAge(expiresAt, now)}`]
      : []),
    ...(state === 'open' ? [] : [`${state} ${describeAge(settled?.at ?? askedAt, now)}`]),
    ...(isLocal && state === 'open' ? [describeTerminal(isAsked)] : []),
  ]
}

function describeTerminal(isAsked: boolean | undefined): string {
  return isAsked === false
    ? 'asked again when its conversation continues'
    : 'only at a terminal of its conversation'
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['min', 60_000],
] as const

/** Describes a time relative to now: `3 min ago`, `in 2 days`, `just now`. */
function describeAge(time: string, now: Date): string {
  const distance = Date.parse(time) - now.getTime()
  const [unit, length] = UNITS.find(([, each]) => Math.abs(distance) >= each) ?? []
  if (unit === undefined || length === undefined)
    return distance > 0 ? 'in less than 1 min' : 'just now'
  const count = Math.floor(Math.abs(distance) / length)
  const many = `${count} ${unit}${count === 1 || unit === 'min' ? '' : 's'}`
  return distance > 0 ? `in ${many}` : `${many} ago`
}

/**
 * Explains why a question is answered only where its call runs, and where that is. `resume` is the conversation of the person, `asker` the host that asks
 * now, if there is one and it is known.
 */
export function describeLocal(
  { request }: PendingQuestion,
  { resume, asker }: { resume: string; asker?: string | undefined },
): string {
  const what = request.url === undefined ? 'the answer is a secret' : 'it is a page to visit'
  const where =
    asker === undefined
      ? 'it is asked again when its conversation continues,'
      : `${asker} asks it. If it has ended,`
  return `asked only where its call runs, because ${what}; ${where} at a terminal: toolblocks run --resume ${resume}`
}
