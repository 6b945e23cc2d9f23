// Formats what was measured as docs/hosts.md.
import { CHECKS, WAIT_SECONDS } from './measure.mjs'
import { LONG_CHARACTERS } from './mixed-server.mjs'

const HEAD = [
  'client',
  'version',
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
  name,
  asks,
  direct,
  gateway,
  seconds,
  extended,
  length,
}) {
  return [
    title,
    version,
    `\`${name}\``,
    asks ? 'yes' : 'no',
    describeWrong(direct),
    describeWrong(gateway),
    describeTime(seconds, extended),
    length === undefined ? 'all' : length.toLocaleString('en-US'),
  ]
}

export function formatPage(rows, date) {
  const table = [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return `# Hosts

What the models of MCP hosts and client libraries receive, directly and through \`toolblocks serve --server\`. Each runs as its users run it, with its default settings and a model on
loopback whose requests are read; none needs an account. \`node tools/compare-gateway-hosts.mjs --write\` installs all of them, measures and writes this page. Measured on ${date}.

- **Name**: \`clientInfo.name\`, or \`--results\` for a library that sends the name which its user gave to the server.
- **Asks**: whether the client declares elicitation, so that a server can ask its user.
- **Wrong**: of ${CHECKS.length} checks of results that mix kinds of content: ${CHECKS.map(({ what }) => what).join(', ')}.
- **Time limit**: how long the client waits for a call; a tool waits ${WAIT_SECONDS} seconds, once with progress every 5 seconds.
- **Length**: the characters that the model receives of a text of ${LONG_CHARACTERS.toLocaleString('en-US')}.

${table.join('\n')}

## What the gateway changes

A host that is listed gets results in the form that its model receives completely: structured content becomes a text unless the content says it already, a text for the user alone is left out,
links and files are named in a text, and an error says that it is one. If the host shows only one of structured content and content, the structured content is left out (and no
\`outputSchema\` promises it); for a host that reads only content, it stays, because an application may use it. This is also done for the tools of a workspace. A semantic value stays with the person if the content says what a model
needs, and a tool with a page of its own (MCP Apps) keeps its structure. The record has the result as it was read. Other clients get results as they are.

A profile is found by the name that a client sends. Several programs share a name only if they use the same library, whose agent loses the same parts. A name that a user chooses says nothing:
then \`--results @mastra/mcp\` says which host it is. \`--results as-is\` changes nothing, for example for an application that shows results itself.

Pi is measured with \`exposure: direct\`; its default, scripts in \`codemode\`, gets complete results. Qwen Code, which defers tools, calls them by \`tool_call\`.

## Not measured

- Crush and Amp: their packages download programs from elsewhere, Kilo Code's program is not in the registry.
- Factory's \`droid\` and Augment's \`auggie\` end without an account.
- goose has no npm package.
`
}

function describeWrong(wrong) {
  return wrong.length === 0 ? '0' : `${wrong.length}: ${wrong.join(', ')}`
}

function describeTime(seconds, extended) {
  if (seconds === undefined) return 'more than 5 minutes'
  if (extended === undefined) return `${seconds} s; with progress more than 5 minutes`
  return `${seconds} s`
}
