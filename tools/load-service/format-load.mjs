// Formats measured rows as a section of docs/performance.md.
import { LOAD } from '../bench/sections.mjs'

/** The most kilobytes of an idle session without a program. */
const MAX_SESSION_KB = 200

const WAYS = {
  http: 'a server over HTTP',
  program: 'a program for each client',
  own: "the workspace's tool",
}

const INTRO = `Clients of the official SDKs at \`toolblocks serve --http\`, on one machine: those of MCP 2025-11-25 with a session each, those of MCP 2026-07-28 each with a name of its own. All connect at the
same time; then each makes its calls one after the other. Each answer must be exactly the text of its call. \`serve --server\` passes the calls on to a
server of the official SDK, over its own connection for each client, and records them; the workspace's tool is the program \`echo\`. They share the processors, so the machine is completely busy.

- A call is lost if it has no answer after 5 minutes, or if its client could not connect; wrong if its answer is not its own, or if the server executed it twice; refused if its answer is an error. Expected: none.
- "CPU" is the time of the service for one call, on all threads, with the connecting.
- "Memory" is the resident memory of the service when all sessions are idle, after a complete garbage collection; "per session" is its growth since before they connected, divided by their number. Target
  without a program: at most ${MAX_SESSION_KB} KB.
- "Processes" counts the service and all that it has started. Each client has a program of its own, and at most 50 run.`

const formatMs = (ms) => (ms >= 100 ? ms.toFixed(0) : ms.toPrecision(3))

/** Whether the row has reached every target. */
export const isMet = ({ way, lost, wrong, refused, sessionKb }) =>
  lost + wrong + refused === 0 &&
  (way === 'program' || sessionKb === undefined || sessionKb <= MAX_SESSION_KB)

/** Formats the rows as a table. Columns of failed calls are in it if a call failed. */
export function formatRows(rows) {
  const hasFailures = rows.some(({ lost, wrong, refused }) => lost + wrong + refused > 0)
  const failures = hasFailures ? 'lost,wrong,refused,' : ''
  const head =
    `through,clients,sessions,calls,${failures}connected in,a call: median,p95,calls per s,CPU,memory,per session,processes`.split(
      ',',
    )
  const cells = rows.map((row) => [
    WAYS[row.way],
    row.version,
    row.sessions,
    row.sessions * row.calls,
    ...(hasFailures ? [row.lost, row.wrong, row.refused] : []),
    `${formatMs(row.connectMs)} ms`,
    `${formatMs(row.median)} ms`,
    `${formatMs(row.late)} ms`,
    row.rate.toFixed(0),
    `${formatMs(row.cpuMs)} ms`,
    `${row.memoryMb.toFixed(0)} MB`,
    row.sessionKb === undefined ? '' : `${row.sessionKb.toFixed(0)} KB`,
    row.processes,
  ])
  const align = head.map((_, index) => (index < 2 ? '---' : '---:'))
  const table = [head, align, ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n')
  return hasFailures ? table : `No call was lost, wrong or refused.\n\n${table}`
}

/** Formats the section. */
export function formatLoad(rows, { date, commit, machine }) {
  const missed = rows.filter((row) => !isMet(row)).length
  return `## ${LOAD}

${INTRO}

Measured on ${date} at commit ${commit}, with ${machine}. ${missed === 0 ? 'All targets are met.' : `${missed} of ${rows.length} rows miss a target.`}

${formatRows(rows)}

\`pnpm exec node tools/load-service.mjs --write\` repeats these measurements.
`
}
