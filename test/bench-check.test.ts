import { expect, test } from 'vitest'
import { compareWithBaseline, createBaseline } from '../tools/bench/baseline.mjs'
import { formatTable } from '../tools/bench/format-page.mjs'
import { keepSections, LOAD, replaceSection } from '../tools/bench/sections.mjs'

const row = (ratio: number, name = 'parse') => ({
  name,
  clock: 'cpu',
  ours: 0.002 * ratio,
  against: 'JSON.parse',
  yardstick: 0.002,
  ratio,
  low: ratio,
  high: ratio,
  least: ratio,
})
const run = (...rows: readonly object[]) => [{ topic: 'bytes', rows }]
const baseline = createBaseline([run(row(1)), run(row(1.05)), run(row(1.02))], {})

test('the tolerance is 35 % for runs that agree, more for runs that differ, and at most 100 %', () => {
  expect(baseline).toEqual({ 'bytes: parse': { ratio: 1.02, tolerance: 0.35 } })
  const differing = (...ratios: readonly number[]) =>
    createBaseline(
      ratios.map((ratio) => run(row(ratio))),
      {},
    )
  expect(differing(1, 1, 1.3)).toEqual({ 'bytes: parse': { ratio: 1, tolerance: 0.6 } })
  expect(differing(1, 1, 9)).toEqual({ 'bytes: parse': { ratio: 1, tolerance: 1 } })
})

test('a ratio that is worse in every run fails, with its limit', async () => {
  const { table, worse } = await compareWithBaseline(run(row(1.5)), baseline, async () => [
    row(1.45),
  ])
  expect(worse).toEqual(['bytes: parse: 1.45, at most 1.38'])
  expect(table).toContain('WORSE')
})

test('a ratio that is worse in one run is measured again and passes', async () => {
  let runs = 0
  const { worse } = await compareWithBaseline(run(row(1.5)), baseline, async () => {
    runs += 1
    return [row(runs === 3 ? 1.1 : 1.5)]
  })
  expect([worse, runs]).toEqual([[], 3])
})

test('a new row passes, and a row that is no longer measured fails', async () => {
  const again = async () => []
  const { worse } = await compareWithBaseline(run(row(9, 'format')), baseline, again)
  expect(worse).toEqual(['bytes: parse: is in the baseline, but was not measured'])
})

test('a table shows times in the unit that fits, and whether a target is met; a common yardstick or target is in its head', () => {
  const [head, , cells] = formatTable([{ ...row(1.5), target: { ratio: 1.15 } }]).split('\n')
  expect(head).toBe(
    '| what | this project | JSON.parse | ratio (p10–p90) | shortest | target: ratio ≤ 1.15 |',
  )
  expect(cells).toBe('| parse | 3 µs | 2 µs | 1.50 (1.50–1.50) | 1.50 | **no** |')
})

test('a table of several yardsticks names each, and has no column for targets without one', () => {
  const lines = formatTable([row(1.5), { ...row(1, 'format'), against: 'decode' }]).split('\n')
  expect(lines[0]).toBe('| what | this project | yardstick |  | ratio (p10–p90) | shortest |')
  expect(lines[3]).toBe('| format | 2 µs | decode | 2 µs | 1.00 (1.00–1.00) | 1.00 |')
})

test('a new page keeps the section that another tool has written, and that tool replaces only its own', () => {
  const before = `# Page\n\n## Bytes\n\nold\n\n## ${LOAD}\n\n$& of it\n`
  const page = keepSections('# Page\n\n## Bytes\n\nnew\n', before)
  expect(page).toBe(`# Page\n\n## Bytes\n\nnew\n\n## ${LOAD}\n\n$& of it\n`)
  const replaced = replaceSection(`${page}\n## More\n`, LOAD, `## ${LOAD}\n\n$1\n`)
  expect(replaced).toBe(`# Page\n\n## Bytes\n\nnew\n\n## ${LOAD}\n\n$1\n\n## More\n`)
  expect(keepSections('# Page\n', '# Page\n')).toBe('# Page\n')
})
