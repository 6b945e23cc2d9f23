// Formats measured rows as docs/performance.md.
import { meetsTarget } from './measure.mjs'

/** Three digits, with the unit that needs the fewest zeros. */
function formatTime(ms) {
  if (ms === undefined) return ''
  if (Math.abs(ms) >= 1000) return `${(ms / 1000).toPrecision(3)} s`
  if (Math.abs(ms) >= 1) return `${toDigits(ms)} ms`
  return `${toDigits(ms * 1000)} µs`
}

const toDigits = (value) =>
  Math.abs(value) >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString()

const formatRatio = (value) => (value >= 10 ? value.toFixed(0) : value.toFixed(2))

function formatTarget({ target }) {
  if (target.ratio !== undefined) return `ratio ≤ ${Number(target.ratio.toFixed(2))}`
  if (target.more !== undefined) return `≤ ${formatTime(target.more)} more`
  if (target.most !== undefined) return `≤ ${formatTime(target.most)}`
  if (target.rate !== undefined) return `≥ ${target.rate} MB/s`
  return `≤ ${target.exponent}`
}

/** Whether the target is met; `mark` is that of the cause if it is not. */
function formatMet(row) {
  const measured =
    row.target.more !== undefined
      ? ` (${formatTime(row.more)} more)`
      : row.target.rate !== undefined
        ? ` (${row.rate.toFixed(0)} MB/s)`
        : ''
  const met = meetsTarget(row) ? 'yes' : `**no**${row.mark ? ` ${row.mark}` : ''}`
  return `${met}${measured}`
}

const toTable = (head, align, rows) =>
  [head, align, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** The column with the targets: a target that all rows with one have is in its head. */
function createGoals(rows) {
  const goals = new Set(rows.filter(({ target }) => target).map(formatTarget))
  const [goal] = goals
  if (goals.size === 1)
    return { head: [`target: ${goal}`], format: (row) => [row.target ? formatMet(row) : ''] }
  const format = (row) => [row.target ? `${formatTarget(row)}: ${formatMet(row)}` : '']
  return goals.size === 0 ? { head: [], format: () => [] } : { head: ['target'], format }
}

/** A yardstick that all rows have is in the head of the table. A table without a target has no column for it. */
function formatTimes(rows) {
  const [{ against }] = rows
  const isShared = rows.every((row) => row.against === against)
  const goals = createGoals(rows)
  return toTable(
    [
      'what',
      'this project',
      ...(isShared ? [against] : ['yardstick', '']),
      'ratio (p10–p90)',
      'shortest',
      ...goals.head,
    ],
    [
      '---',
      '---:',
      ...(isShared ? [] : ['---']),
      '---:',
      '---:',
      '---:',
      ...goals.head.map(() => '---'),
    ],
    rows.map((row) => [
      row.detail === undefined ? row.name : `${row.name}: ${row.detail}`,
      formatTime(row.ours),
      ...(isShared ? [] : [row.against]),
      formatTime(row.yardstick),
      `${formatRatio(row.ratio)} (${formatRatio(row.low)}–${formatRatio(row.high)})`,
      formatRatio(row.least),
      ...goals.format(row),
    ]),
  )
}

/** The rows of a yardstick with a table of its own. */
const MIN_OWN_ROWS = 10

/** Formats a table for each yardstick with many rows, and one for all others. */
function formatByYardstick(rows) {
  const groups = [...Map.groupBy(rows, ({ against }) => against).values()]
  const others = groups.filter(({ length }) => length < MIN_OWN_ROWS).flat()
  return [...groups.filter(({ length }) => length >= MIN_OWN_ROWS), others]
    .filter(({ length }) => length > 0)
    .map(formatTimes)
    .join('\n\n')
}

function formatGrowth(rows) {
  const goals = createGoals(rows)
  return toTable(
    ['what', 'times', 'exponent (p10 to p90)', ...goals.head],
    ['---', '---', '---:', ...goals.head.map(() => '---')],
    rows.map((row) => [
      row.name,
      row.growth.map(([size, ms]) => `${size}: ${formatTime(ms)}`).join(', '),
      `${row.ratio.toFixed(2)} (${row.low.toFixed(2)} to ${row.high.toFixed(2)})`,
      ...goals.format(row),
    ]),
  )
}

function formatMemory(rows) {
  return toTable(
    ['what', 'this project', 'yardstick', ''],
    ['---', '---:', '---', '---:'],
    rows.map(({ name, against, memory }) => [
      name,
      `${memory.ours.toFixed(0)} MB`,
      against,
      `${memory.yardstick.toFixed(0)} MB`,
    ]),
  )
}

/** Formats the rows of a topic as one table for each kind of row. */
export function formatTable(rows) {
  const kinds = [
    [rows.filter(({ growth, memory }) => !growth && !memory), formatByYardstick],
    [rows.filter(({ growth }) => growth), formatGrowth],
    [rows.filter(({ memory }) => memory), formatMemory],
  ]
  return kinds
    .filter(([some]) => some.length > 0)
    .map(([some, format]) => format(some))
    .join('\n\n')
}

/** Marks each row that misses its target with the letter of its cause, and lists the causes. */
function markMissed(rows) {
  const missed = rows.filter((row) => meetsTarget(row) === false)
  const causes = [...new Set(missed.map(({ cause }) => cause ?? 'the cause is not known.'))]
  const getMark = (index) => `(${String.fromCodePoint('a'.codePointAt(0) + index)})`
  return {
    rows: rows.map((row) =>
      missed.includes(row)
        ? { ...row, mark: getMark(causes.indexOf(row.cause ?? 'the cause is not known.')) }
        : row,
    ),
    list: causes.map((cause, index) => `- ${getMark(index)} ${cause}\n`).join(''),
  }
}

/** Formats the complete page. */
export function formatPage(sections, machine, { large }) {
  const all = sections.flatMap(({ rows }) => rows)
  const withTarget = all.filter(({ target }) => target !== undefined)
  const met = withTarget.filter(meetsTarget)
  const parts = sections.map(({ topic, title, intro, rows }) => {
    const marked = markMissed(rows)
    const command = `pnpm bench ${topic}${topic === 'growth' && large ? ' --large' : ''}`
    return `## ${title}\n\n${intro} (\`${command}\`)\n\n${formatTable(marked.rows)}\n${marked.list && `\n${marked.list}`}`
  })
  return `# Performance

\`pnpm bench\` measures and writes this page, except the last two sections, of \`tools/measure-view.mjs\` and \`tools/load-service.mjs\`. Do not edit it. ${met.length} of ${withTarget.length} targets are met.

Measured on ${machine.date} at commit ${machine.commit}, with Node.js ${machine.node} (V8 ${machine.v8}) on ${machine.system}, ${machine.processor}. The command behind the first paragraph of a section repeats it. Letters name the cause of a missed target.

- Each thing is measured beside a yardstick: the least work that any program needs for the same purpose, or another library. Short rounds of both alternate in one process, so that a busy machine slows both.
- Times are medians of the rounds, and the ratio is the median of their ratios, with the 10th and the 90th percentile (p10–p90). "shortest" is the ratio of the shortest times, "more" the median of the differences.
- Times are CPU time of all threads of the process, with the garbage collector. Elapsed time is measured where a text says so, and for imports into a store and appends at durability \`full\`.
- \`pnpm bench:check\` measures a shorter form and compares its ratios with \`tools/bench/baseline.json\`, weekly.
- Other programs may do less: [compared.md](compared.md) for SDKs of tools, [fidelity.md](fidelity.md) for clients of MCP.

${parts.join('\n')}`
}
