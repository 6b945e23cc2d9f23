// Formats compared servers as a table, as lines, and as a section of docs/connecting-mcp.md.

/** The heading of the section. */
export const COMPARED = 'Nine servers, bare and through the gateway'

const MAX_SHOWN = 200

const INTRO = `Nine published servers, each started by a client of the official SDK as it is, and by \`toolblocks serve --server\`. Compared are what the server says of itself, its
capabilities, every field of its tools, prompts, resources and templates, and the results and errors of calls that have the same answer at each run, also with missing and wrong arguments. Tavily and Notion have keys that are not valid. Times, identifiers and temporary folders are not compared.`

const ratio = ({ bareMs, gatewayMs }) => gatewayMs / bareMs

const formatMs = (ms) => (Number.isNaN(ms) ? '' : `${ms.toFixed(0)} ms`)

/** Formats the rows as a table. Differences without a reason are in it if there are any. */
export function formatRows(rows) {
  const hasUnexplained = rows.some((row) => countUnexplained(row) > 0)
  const unexplained = hasUnexplained ? 'unexplained,' : ''
  const head =
    `server,version,tools,requests,${unexplained}differences,connected bare,through the gateway,ratio`.split(
      ',',
    )
  const cells = rows.map((row) => [
    row.name,
    row.version,
    row.tools,
    row.requests,
    ...(hasUnexplained ? [countUnexplained(row)] : []),
    row.differences.length - countUnexplained(row),
    formatMs(row.bareMs),
    formatMs(row.gatewayMs),
    Number.isNaN(row.bareMs) ? '' : ratio(row).toFixed(2),
  ])
  const align = head.map((_, index) => (index < 2 ? '---' : '---:'))
  return [head, align, ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n')
}

/** Returns how many differences have no reason. */
export const countUnexplained = ({ differences }) =>
  differences.filter(({ reason }) => reason === undefined).length

function showValue(value) {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** Formats a difference as one line. */
export function formatDifference(server, { name, path, bare, gateway, reason }) {
  const what = `${server}: ${name}${path}: bare ${showValue(bare)}, gateway ${showValue(gateway)}`
  return `${reason === undefined ? 'UNEXPLAINED' : 'explained'} ${what}${reason === undefined ? '' : `: ${reason}`}`
}

/** Formats the section. */
export function formatSection(rows, { date, commit, machine, runs }) {
  const all = rows.flatMap(({ differences }) => differences)
  const reasons = Map.groupBy(all, ({ reason }) => reason)
  const lines = [...reasons]
    .filter(([reason]) => reason !== undefined)
    .map(
      ([reason, some]) => `- ${reason} (${some.length} ${some.length === 1 ? 'time' : 'times'}).`,
    )
  const early = rows.reduce((sum, row) => sum + row.early, 0)
  return `## ${COMPARED}

${INTRO}

${formatRows(rows)}

Each difference has one of these reasons${rows.some((row) => countUnexplained(row) > 0) ? ', except the unexplained' : ''}:

${lines.join('\n')}

The times are the medians of ${runs} starts each, from the start of the program to the answer to the first \`tools/list\`. \`serve\` has started once before, and has \`--accept\`, so that it waits
for the server before it answers: otherwise the client of a server that needs more than a second is answered first (${early} of ${runs * rows.length} measured starts).
Measured on ${date} at commit ${commit}, with ${machine}. \`pnpm exec node tools/compare-servers.mjs --write\` repeats it; CI compares weekly.
`
}
