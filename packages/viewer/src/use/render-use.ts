import type { SafeHtml } from '@toolblocks/protocol'
import { formatDuration, parseJson } from '@toolblocks/protocol/internal'
import { encodeHtml, encodePageLine, joinHtml, markup } from '@toolblocks/renderer/internal/html'
import { getPageAddress } from '../pages/render-pages.ts'
import { formatMinute } from '../reading/describe-facts.ts'
import type { ToolUser } from './find-user.ts'
import type { CallPlace, FailureSum, ToolSum, UseSummary, UserSum } from './sum-use.ts'

/** The times of which the use is counted, as the address of the page names them. */
const SPANS = { '24h': 1, '7d': 7, '30d': 30 } as const
const DAY_MS = 24 * 60 * 60 * 1000
/** How the tools are sorted. */
const ORDERS = ['calls', 'failures', 'time'] as const
/** Maximum number of rows of a table. */
const MAX_ROWS = 100

/** What the address of the page selects. */
export interface UseSelection {
  span: keyof typeof SPANS
  order: (typeof ORDERS)[number]
}

/** Reads what an address selects. Unknown words count as absent. */
export function readUseSelection(
  since: string | undefined,
  sort: string | undefined,
): UseSelection {
  return {
    span: since === '7d' || since === '30d' ? since : '24h',
    order: ORDERS.find((order) => order === sort) ?? 'calls',
  }
}

/** Returns when the selected time begins, in milliseconds since 1970. */
export function getUseStart({ span }: UseSelection, now: number): number {
  return now - SPANS[span] * DAY_MS
}

/** Renders who has used which tools, what failed, and what waits for a person. */
export function renderUse(
  use: UseSummary,
  { name, selection, waiting }: { name: string; selection: UseSelection; waiting: SafeHtml },
): SafeHtml {
  const spans = Object.keys(SPANS).map((span) => {
    const current = span === selection.span ? markup` aria-current="page"` : markup``
    return markup`<a href="${getUseAddress({ ...selection, span })}"${current}>${SPAN_NAMES[span] ?? markup``}</a>`
  })
  const counted = markup`${count(use.calls, 'call')} in ${count(use.conversations, 'conversation')}`
  return markup`<div class="tb-page"><h1>Use</h1><p class="tb-facts">${encodePageLine(name)} · ${joinHtml(spans, markup` · `)}</p><p role="status">${counted}</p>${renderLimits(use)}<h2>Waiting for a person</h2>${waiting}<h2>Clients and people</h2>${renderUsers(use.users)}<h2>Tools</h2>${renderTools(use.tools, selection)}<h2>Failures</h2>${renderFailures(use.failures)}</div>`
}

const SPAN_NAMES: Readonly<Record<string, SafeHtml>> = {
  '24h': markup`24 hours`,
  '7d': markup`7 days`,
  '30d': markup`30 days`,
}

function getUseAddress({ span, order }: { span: string; order: string }): SafeHtml {
  const query = new URLSearchParams({ since: span, ...(order !== 'calls' && { sort: order }) })
  return encodeHtml(`use?${query.toString()}`)
}

function renderLimits({ uncounted, damaged }: UseSummary): SafeHtml {
  const earlier =
    uncounted === undefined
      ? markup``
      : markup`<p class="tb-warnings">Only the latest calls are counted until now. ${uncounted === 'unread' ? markup`Load this page again to count earlier ones.` : markup`There are more than this page counts; choose a shorter time.`}</p>`
  const lost =
    damaged === 0
      ? markup``
      : markup`<p class="tb-warnings">${count(damaged, 'conversation')} cannot be read completely: <code>toolblocks conversations verify</code> says why.</p>`
  return markup`${earlier}${lost}`
}

function renderUsers(users: readonly UserSum[]): SafeHtml {
  const names = users.map(({ user }) => user.name)
  const isShared = ({ name }: ToolUser): boolean => names.indexOf(name) !== names.lastIndexOf(name)
  const rows = users.map(
    ({ user, calls, failures, last }) =>
      markup`<tr><th scope="row">${renderUser(user, isShared(user))}</th><td>${formatCount(calls)}</td><td>${formatCount(failures)}</td><td>${renderPlace(last, markup`${encodeHtml(formatTime(last.at))}`)}</td></tr>`,
  )
  return renderTable('Clients and people', {
    rows,
    heads: [markup`Name`, markup`Calls`, markup`Failures`, markup`Last call, UTC`],
  })
}

function renderUser({ kind, name, proved = '' }: ToolUser, isShared: boolean): SafeHtml {
  const line = encodePageLine(name)
  switch (kind) {
    case 'proved':
      return isShared
        ? markup`${line} <span class="tb-facts">${encodePageLine(describeProof(proved))}</span>`
        : line
    case 'named':
      return markup`${line} <span class="tb-facts">as it names itself</span>`
    case 'command':
      return markup`${line} <span class="tb-facts">on a machine with the store</span>`
    case 'imported':
      return markup`${line} <span class="tb-facts">imported</span>`
  }
}

/** Describes what proves an id: `by its token`, or for an account of an issuer `by ISSUER as ACCOUNT`. */
function describeProof(id: string): string {
  const parts = readIdParts(id)
  const [kind, issuer = '', ...account] = parts
  if (kind === 'client') return 'by its token'
  if (kind === 'oauth') return `by ${issuer} as ${account.join(' ')}`
  return `by credentials as ${parts.length === 0 ? id : parts.join(' ')}`
}

/** Returns the texts of an id that is a JSON array of texts, and of another id none. */
function readIdParts(id: string): readonly string[] {
  const parts = parseJson(id)
  return Array.isArray(parts) ? parts.filter((part) => typeof part === 'string') : []
}

function renderTools(tools: readonly ToolSum[], selection: UseSelection): SafeHtml {
  const link = (order: UseSelection['order'], text: SafeHtml): SafeHtml =>
    order === selection.order
      ? markup`<span aria-current="true">${text} ↓</span>`
      : markup`<a href="${getUseAddress({ ...selection, order })}">${text}</a>`
  const rows = tools.toSorted(SORTS[selection.order]).map(({ tool, calls, failures, times }) => {
    const { server, own } = splitToolName(tool)
    const serverHtml =
      server === '' ? markup`` : markup` <span class="tb-facts">${encodePageLine(server)}</span>`
    const share =
      failures === 0
        ? markup`0`
        : markup`${formatCount(failures)} <span class="tb-facts">${formatShare(failures / calls)}</span>`
    const taken = times
      ? markup`<td>${encodeHtml(formatDuration(times.middle))}</td><td>${encodeHtml(formatDuration(times.most))}</td><td>${renderPlace(times.slowest, encodeHtml(formatDuration(times.slowest.took)))}</td>`
      : markup`<td>–</td><td>–</td><td>–</td>`
    return markup`<tr><th scope="row">${encodePageLine(own)}${serverHtml}</th><td>${formatCount(calls)}</td><td>${share}</td>${taken}</tr>`
  })
  return renderTable('Tools', {
    rows,
    heads: [
      markup`Tool`,
      link('calls', markup`Calls`),
      link('failures', markup`Failures`),
      markup`Middle`,
      link('time', markup`95 % within`),
      markup`Slowest`,
    ],
  })
}

const SORTS: Readonly<Record<UseSelection['order'], (one: ToolSum, other: ToolSum) => number>> = {
  calls: (one, other) => other.calls - one.calls,
  failures: (one, other) => other.failures - one.failures,
  time: (one, other) => (other.times?.most ?? -1) - (one.times?.most ?? -1),
}

/** Tools of servers are named `server__tool`. */
function splitToolName(tool: string): { server: string; own: string } {
  const [, server = '', own = tool] = /^(.+?)__(.+)$/s.exec(tool) ?? []
  return { server, own }
}

function renderFailures(failures: readonly FailureSum[]): SafeHtml {
  const rows = failures.map(({ kind, calls, newest }) => {
    const links = newest.map((call) =>
      renderPlace(call, markup`${encodePageLine(call.tool)}, ${encodeHtml(formatTime(call.at))}`),
    )
    return markup`<tr><th scope="row">${encodePageLine(kind)}</th><td>${formatCount(calls)}</td><td class="tb-words">${joinHtml(links, markup`<br>`)}</td></tr>`
  })
  return renderTable('Failures', {
    rows,
    heads: [markup`Kind`, markup`Calls`, markup`<span class="tb-words">The newest, UTC</span>`],
  })
}

function renderTable(
  label: string,
  { heads, rows }: { heads: readonly SafeHtml[]; rows: readonly SafeHtml[] },
): SafeHtml {
  if (rows.length === 0) return markup`<p class="tb-left">There are no calls like this.</p>`
  const more = rows.length - MAX_ROWS
  const rest =
    more > 0 ? markup`<p class="tb-facts">${formatCount(more)} more are not shown.</p>` : markup``
  return markup`<div class="tb-wide" role="region" tabindex="0" aria-label="${encodeHtml(label)}"><table class="tb-use"><thead><tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows.slice(0, MAX_ROWS)}</tbody></table></div>${rest}`
}

function renderPlace({ conversation, seq }: CallPlace, text: SafeHtml): SafeHtml {
  return markup`<a href="${encodeHtml(getPageAddress(conversation, seq))}">${text}</a>`
}

function formatTime(time: number): string {
  return formatMinute(new Date(time).toISOString())
}

function formatCount(number: number): SafeHtml {
  return encodeHtml(number.toLocaleString('en'))
}

function formatShare(share: number): SafeHtml {
  const percent = share * 100
  return encodeHtml(`${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`)
}

function count(number: number, thing: string): SafeHtml {
  return markup`${formatCount(number)} ${encodeHtml(number === 1 ? thing : `${thing}s`)}`
}
