// Compares the time of two functions. Short rounds of both alternate, so that a busy machine slows both.

/**
 * @typedef {object} Target One limit of a row.
 * @property {number} [ratio] The largest ratio to the yardstick.
 * @property {number} [more] The largest number of milliseconds more than the yardstick.
 * @property {number} [most] The largest number of milliseconds.
 * @property {number} [rate] The smallest number of megabytes per second.
 * @property {number} [exponent] The largest exponent of growth.
 */

/**
 * @typedef {object} Row One measured thing. Times are in milliseconds.
 * @property {string} name
 * @property {number} [ours] The median.
 * @property {string} [against] What the yardstick is.
 * @property {number} [yardstick] The median.
 * @property {number} ratio The median of the ratios of the rounds; for growth, the exponent.
 * @property {number} low The 10th percentile of the ratios.
 * @property {number} high The 90th percentile of the ratios.
 * @property {number} least The ratio of the shortest times.
 * @property {number} [more] The median difference of the rounds.
 * @property {number} [rate] Megabytes per second.
 * @property {'cpu' | 'elapsed'} clock
 * @property {Target} [target]
 * @property {string} [cause] Why the target is missed.
 */

/** How long to measure. `quick` is the form of `pnpm bench:check`; `once` only shows that everything runs. */
export const PACES = {
  once: { form: 'quick', rounds: 1, roundMs: 0, warmupMs: 0.001 },
  full: { form: 'full', rounds: 31, roundMs: 8, warmupMs: 200 },
  quick: { form: 'quick', rounds: 15, roundMs: 4, warmupMs: 100 },
}

/** @param {readonly number[]} values @param {number} part between 0 and 1 */
function getPercentile(values, part) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.round((sorted.length - 1) * part)]
}

export const getMedian = (values) => getPercentile(values, 0.5)

const clocks = {
  /** All threads of this process: other programs on the machine do not count. */
  cpu: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
  elapsed: () => performance.now(),
}

/** Returns the milliseconds of one call of `work`, as a mean over `count` calls. */
async function time(work, count, now) {
  const start = now()
  for (let call = 0; call < count; call++) {
    const returned = work()
    // Awaiting a value that is not a promise takes longer than many of the measured functions.
    if (returned instanceof Promise) await returned
  }
  return (now() - start) / count
}

/** Runs all works in alternation until the engine has compiled them. Returns how many calls of each fill a round. */
async function warmUp(works, { warmupMs, roundMs }) {
  const spent = works.map(() => 0)
  const calls = works.map(() => 0)
  for (let count = 1; spent.some((ms) => ms < warmupMs); count = Math.min(count * 2, 1 << 20)) {
    for (const [index, work] of works.entries()) {
      if (spent[index] >= warmupMs) continue
      const elapsed = await time(work, count, clocks.elapsed)
      spent[index] += elapsed * count
      calls[index] += count
    }
  }
  const counts = []
  for (const [index, work] of works.entries()) {
    const guess = Math.max(1, Math.round((calls[index] * roundMs) / spent[index]))
    const each = await time(work, Math.min(guess, 1000), clocks.elapsed)
    counts.push(Math.max(1, Math.round(roundMs / each)))
  }
  return counts
}

/**
 * Measures all works in alternating rounds. Returns the milliseconds of one call in each round, for each work.
 *
 * @param {readonly (() => unknown)[]} works
 * @param {{rounds: number, roundMs: number, warmupMs: number, clock: 'cpu' | 'elapsed'}} options
 */
async function timeInRounds(works, options) {
  const counts = await warmUp(works, options)
  const times = works.map(() => [])
  for (let round = 0; round < options.rounds; round++)
    // Each second round runs in the opposite order.
    for (const index of works.keys()) {
      const workIndex = round % 2 === 0 ? index : works.length - 1 - index
      times[workIndex].push(await time(works[workIndex], counts[workIndex], clocks[options.clock]))
    }
  return times
}

/**
 * Compares our function with its yardstick.
 *
 * @param {object} pace one of `PACES`, with changes
 * @param {object} what
 * @param {string} what.name
 * @param {() => unknown} what.ours
 * @param {string} what.against
 * @param {() => unknown} what.yardstick
 * @param {'cpu' | 'elapsed'} [what.clock] Default: `cpu`.
 * @param {number} [what.bytes] For a rate.
 * @param {Target} [what.target]
 * @param {string} [what.cause]
 * @returns {Promise<Row>}
 */
export async function compareTimes(pace, what) {
  const { ours, yardstick, clock = 'cpu', bytes, ...rest } = what
  const [own, bare] = await timeInRounds([ours, yardstick], { ...pace, clock })
  return toRow({ ...rest, clock, bytes }, own, bare)
}

/** Makes a row of the times of alternating rounds. */
export function toRow({ bytes, ...rest }, own, bare) {
  const ratios = own.map((ms, round) => ms / bare[round])
  return {
    ...rest,
    ours: getMedian(own),
    yardstick: getMedian(bare),
    ratio: getMedian(ratios),
    low: getPercentile(ratios, 0.1),
    high: getPercentile(ratios, 0.9),
    least: Math.min(...own) / Math.min(...bare),
    more: getMedian(own.map((ms, round) => ms - bare[round])),
    ...(bytes !== undefined && { rate: bytes / 1000 / getMedian(own) }),
  }
}

/**
 * Measures how the time grows with the size: 0 if it is constant, 1 if it is proportional.
 *
 * @param {object} pace
 * @param {object} what
 * @param {string} what.name
 * @param {readonly [size: number, work: () => unknown][]} what.sizes
 * @param {(size: number) => string} what.format
 * @returns {Promise<Row & {points: readonly string[]}>}
 */
export async function measureGrowth(pace, { name, sizes, format, clock = 'cpu', ...rest }) {
  const works = sizes.map(([, work]) => work)
  const times = await timeInRounds(works, { ...pace, clock })
  const exponents = times[0].map((_, round) =>
    fitExponent(sizes.map(([size], index) => [size, times[index][round]])),
  )
  return {
    name,
    clock,
    growth: sizes.map(([size], index) => [format(size), getMedian(times[index])]),
    ratio: fitExponent(sizes.map(([size], index) => [size, getMedian(times[index])])),
    low: getPercentile(exponents, 0.1),
    high: getPercentile(exponents, 0.9),
    least: fitExponent(sizes.map(([size], index) => [size, Math.min(...times[index])])),
    ...rest,
  }
}

/** Fits a line to the logarithms of sizes and times, by least squares, and returns its slope. */
function fitExponent(points) {
  const logs = points.map(([size, ms]) => [Math.log(size), Math.log(Math.max(ms, 1e-6))])
  const [meanX, meanY] = [0, 1].map(
    (axis) => logs.reduce((sum, point) => sum + point[axis], 0) / logs.length,
  )
  const along = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  return along / logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
}

/** Whether a row meets its target. Without a target: undefined. */
export function meetsTarget({ target, ratio, more, ours, rate }) {
  if (target === undefined) return undefined
  if (target.ratio !== undefined) return ratio <= target.ratio
  if (target.more !== undefined) return more <= target.more
  if (target.most !== undefined) return ours <= target.most
  if (target.rate !== undefined) return rate >= target.rate
  return ratio <= target.exponent
}
