// Breaks lines that pass values on, or that wait for and end something, one after the other, and lists the breaks that the tests do not notice. It is not part of the tests.
//
//   node tools/break-wiring.mjs [--count=20] [--seed=N] [--tests=PATTERN …] [--kind=KIND …] [--journeys] [--list] [--only=FILE:LINE …] FILE|PATTERN …
//
// A break removes a field or an optional field of an object, removes a hook's call, replaces an argument or an option by its default, or swaps the
// sides of `a ?? b` (the kinds are `field`, `renamed field`, `optional field`, `spread`, `hook`, `argument`, `default`, `which wins`), or it removes
// an `await`, a call that ends something, a `finally` or a `catch` (`not awaited`, `not ended`, `no finally`, `not caught`). The tests beside a file run first, then those of its folder, its package or app (or the --tests, parts of paths), those of its
// package in a browser, and with --journeys the journeys; the first failure ends the run. For an example, its journeys run. An `await` of a pause and the
// handler of a missing package are not broken, because these tests cannot tell the difference. The file is restored before the next break and on Ctrl-C.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { parseArgs } from 'node:util'
import { findWiring } from './break-wiring/find-wiring.mjs'
import { firstFailure, getPackage, testsFor } from './break-wiring/run-tests.mjs'

const { values, positionals } = parseArgs({
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    tests: { type: 'string', multiple: true },
    kind: { type: 'string', multiple: true },
    only: { type: 'string', multiple: true },
    journeys: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const files = globSync(positionals).filter(
  (file) => file.endsWith('.ts') && !/\.(test|support|bench|setup|d)\.ts$/.test(file),
)
const all = files.toSorted().flatMap((file) => {
  const source = readFileSync(file, 'utf8')
  return findWiring(file, source)
    .map((wiring) => ({ ...wiring, file, source, broken: applied(source, wiring) }))
    .filter(({ broken }) => compiles(broken))
})
const named = all.filter((each) => isNamed(each) && (values.kind?.includes(each.kind) ?? true))
const wanted = values.only ? named : draw(named, Number(values.count))
console.log(`${all.length} places in ${files.length} files, seed ${values.seed}`)

const state = { endTests: undefined, open: undefined }
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    state.endTests?.()
    process.exit(130)
  })
process.on('exit', restoreFile)

let noticed = 0
for (const each of values.list ? [] : wanted) {
  state.open = each
  let failure
  try {
    writeFileSync(each.file, each.broken)
    failure = await tryTests(each)
  } finally {
    restoreFile()
  }
  if (failure !== undefined) noticed += 1
  console.log(`${failure === undefined ? 'SURVIVED' : 'noticed '}  ${describe(each)}`)
  if (failure !== undefined) console.log(`            by ${failure}`)
}
if (values.list) for (const each of wanted) console.log(describe(each))
else {
  const percent = ((100 * noticed) / Math.max(1, wanted.length)).toFixed(1)
  console.log(`${noticed} of ${wanted.length} noticed: ${percent} %, seed ${values.seed}`)
}

async function tryTests({ file }) {
  const wider = values.tests ?? [`${getPackage(file)}/`]
  const steps = [...testsFor(file, wider), ...(values.journeys ? [['journeys/']] : [])]
  for (const patterns of steps) {
    const failure = await firstFailure(patterns, (endTests) => {
      state.endTests = endTests
    })
    if (failure !== undefined) return failure
  }
  return undefined
}

function restoreFile() {
  if (state.open !== undefined) writeFileSync(state.open.file, state.open.source)
  state.open = undefined
}

function applied(source, { start, end, instead }) {
  return source.slice(0, start) + instead + source.slice(end)
}

function compiles(source) {
  try {
    stripTypeScriptTypes(source)
    return true
  } catch {
    return false
  }
}

function isNamed({ file, line }) {
  return !values.only || values.only.some((name) => `${file}:${line}`.endsWith(name))
}

function describe({ kind, file, line, text, source, start, end }) {
  const broken = source.slice(start, end).replaceAll(/\s+/g, ' ')
  return `${file}:${line}  ${kind} \`${broken}\` in: ${text}`
}

/** Draws `count` items of a list, in an order that depends on the seed. */
function draw(list, count) {
  let seed = Number(values.seed) | 0
  const next = () => {
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return list
    .map((item) => ({ item, at: next() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ item }) => item)
}
