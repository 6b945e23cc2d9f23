// Compares ratios with those of tools/bench/baseline.json.
import { getMedian } from './measure.mjs'

/**
 * How much worse a ratio may be, as a part of it. Runs on an unchanged commit differ by less, so more is a change. Times of processes, pipes, disks and
 * pages differ more from run to run and from machine to machine than computations do.
 */
const TOLERANCE = { cpu: 0.35, elapsed: 0.6 }
/** An exponent of growth may be larger by this number. */
const EXPONENT_TOLERANCE = 0.3
/** A tolerance is at least this multiple of the measured differences between three runs. */
const MARGIN = 2
/** A tolerance is never more than this: one bad run of three must not hide a function that takes twice as long. */
const MAX_TOLERANCE = 1

const round = (value) => Number(value.toPrecision(3))

/** The rows of a run by topic and name. Only times are compared. */
function toEntries(sections) {
  return sections.flatMap(({ topic, rows }) =>
    rows
      .filter(({ memory }) => memory === undefined)
      .map((row) => [`${topic}: ${row.name}`, { topic, row }]),
  )
}

/** A busy machine can spoil the median or the shortest time. A slower function makes both worse. */
const getRatio = ({ ratio, least }) => Math.min(ratio, least)

/** Makes the baseline of several runs of the quick form. Rows of topics that were not measured stay. */
export function createBaseline(runs, before) {
  const all = runs.map((sections) => new Map(toEntries(sections)))
  const rows = [...all[0]].map(([name, { row }]) => {
    const ratios = all.map((run) => getRatio(run.get(name)?.row ?? row))
    const ratio = getMedian(ratios)
    const difference = Math.max(...ratios) - ratio
    const tolerance = row.growth
      ? Math.max(EXPONENT_TOLERANCE, MARGIN * difference)
      : Math.max(TOLERANCE[row.clock], (MARGIN * difference) / ratio)
    return [name, { ratio: round(ratio), tolerance: round(Math.min(tolerance, MAX_TOLERANCE)) }]
  })
  return { ...before, ...Object.fromEntries(rows) }
}

/** The largest ratio that does not count as worse. */
const getLimit = ({ ratio, tolerance }, { growth }) =>
  growth ? ratio + tolerance : ratio * (1 + tolerance)

/**
 * Compares a run with the baseline. A topic with a worse ratio is measured three more times; the ratio counts as worse only if it is worse each time.
 *
 * @param {readonly object[]} sections
 * @param {Readonly<Record<string, {ratio: number, tolerance: number}>>} baseline
 * @param {(topic: string) => Promise<readonly object[]>} measure measures a topic again
 */
export async function compareWithBaseline(sections, baseline, measure) {
  const entries = toEntries(sections)
  const isWorse = ([name, { row }]) =>
    baseline[name] !== undefined && getRatio(row) > getLimit(baseline[name], row)
  const first = new Map(entries)
  let suspects = entries.filter(isWorse)
  for (let run = 0; run < 3 && suspects.length > 0; run += 1) {
    const topics = [...new Set(suspects.map(([, { topic }]) => topic))]
    const again = []
    for (const topic of topics) again.push({ topic, rows: await measure(topic) })
    const now = new Map(toEntries(again))
    suspects = suspects.map(([name]) => [name, now.get(name)]).filter(isWorse)
  }
  const worse = new Set(suspects.map(([name]) => name))
  const lines = [...first].map(([name, { row }]) => formatLine(name, row, baseline[name], worse))
  const missing = Object.keys(baseline)
    .filter((name) => sections.some(({ topic }) => name.startsWith(`${topic}: `)))
    .filter((name) => !first.has(name))
  return {
    table: ['ratio  baseline  limit  what', ...lines].join('\n'),
    worse: [
      ...suspects.map(
        ([name, { row }]) =>
          `${name}: ${getRatio(row).toFixed(2)}, at most ${getLimit(baseline[name], row).toFixed(2)}`,
      ),
      ...missing.map((name) => `${name}: is in the baseline, but was not measured`),
    ],
  }
}

function formatLine(name, row, known, worse) {
  const cells = [getRatio(row), known?.ratio, known && getLimit(known, row)].map((value) =>
    (value === undefined ? 'new' : value.toFixed(2)).padStart(7),
  )
  return `${cells.join('  ')}  ${name}${worse.has(name) ? '  WORSE' : ''}`
}
