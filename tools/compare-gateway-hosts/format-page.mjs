// Formats what was measured as docs/hosts.md.
import { CHECKS, WAIT_SECONDS } from './measure.mjs'
import { LONG_CHARACTERS } from './mixed-server.mjs'

const HEAD = [
  'client',
  'version',
  'date',
  'name',
  'asks',
  'wrong directly',
  'through the gateway',
  'time limit',
  'length',
]

/** Returns one row of the page. */
export function formatRow({
  title,
  version,
  date,
  name,
  asks,
  direct,
  gateway,
  seconds,
  extended,
  length,
  whole,
}) {
  return [
    title,
    version,
    date,
    `\`${name}\``,
    asks ? 'yes' : 'no',
    describeWrong(direct),
    describeWrong(gateway),
    describeTime(seconds, extended),
    describeLength(length, whole),
  ]
}

/** Reads the rows of the page, by the title of the client. */
export function readRows(page) {
  const lines = page.split('\n').filter((line) => line.startsWith('|'))
  const rows = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  return new Map(rows.slice(2).map((cells) => [cells[0], cells]))
}

export function formatPage(rows) {
  const table = [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return `# Hosts

What the models of MCP hosts and client libraries receive, directly and through \`toolblocks serve --server\`. Each runs with its default settings, unless said below, and with a model on
loopback whose requests are read. \`node tools/compare-gateway-hosts.mjs --write\` installs all of them, measures and writes this page.

- **Name**: \`clientInfo.name\`, or \`--results\` for a library that sends the name which its user gave to the server.
- **Asks**: whether the client declares elicitation, so that a server can ask its user.
- **Wrong**: which of ${CHECKS.length} checks of results that mix kinds of content fail (\`tools/compare-gateway-hosts/mixed-server.mjs\`).
- **Time limit**: seconds for which the client waits for a call, of at most ${WAIT_SECONDS}; another call sends progress every 5 seconds.
- **Length**: the longest text that the model receives whole, to one hundredth, and of ${LONG_CHARACTERS.toLocaleString('en-US')} characters how many. Through the gateway, a longer text is cut before, and a note names the call that reads the rest.

${table.join('\n')}

## What the gateway changes

A client that is listed gets results in the form that its model receives completely: structured content becomes a text unless the content says it already, a text for the user alone is left out,
links and files are named in a text, and an error says that it is one. If the client shows only one of structured content and content, the structured content is left out, and no
\`outputSchema\` promises it. For a client that shows only content, it stays, because an application may read it. A semantic value stays with the person if the
content says what a model needs, and a tool with a page of its own (MCP Apps) keeps its structure. The record has the result as it was read. Other clients get results as they are.

A profile is found by the name that a client sends. Programs share a name only if they use the same library, whose agent loses the same parts. A name that a user chooses says nothing:
\`--results @mastra/mcp\` says which client it is. \`--results as-is\` changes nothing, for an application that shows results itself.

Pi is measured with \`exposure: direct\`. Its default, \`codemode\`, gets complete results in scripts.

## Not measured

- Crush downloads its program from GitHub when it is installed, and the program of Kilo Code 7.8.1 is not in the registry.
- Amp, Factory's \`droid\` and Augment's \`auggie\` need an account.
- \`goose\` of npm is another program.
`
}

function describeWrong(wrong) {
  return wrong.length === 0 ? '0' : `${wrong.length}: ${wrong.join(', ')}`
}

function describeLength(length, whole) {
  if (length === undefined) return 'all'
  return `${whole.toLocaleString('en-US')} (${length.toLocaleString('en-US')})`
}

function describeTime(seconds, extended) {
  if (seconds === undefined) return 'more than 5 minutes'
  if (extended === undefined) return `${seconds} s, more with progress`
  return `${seconds} s`
}
