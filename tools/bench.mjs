// Measures the packages beside yardsticks: pnpm bench [TOPIC …] [--large]. Without topics, it writes docs/performance.md.
// --quick measures less and prints the tables only. --update writes tools/bench/baseline.json. --check compares with it (pnpm bench:check).
// --large adds a conversation of a million events. The topics are the files of tools/bench/topics.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, platform, release } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { execa } from 'execa'
import { compareWithBaseline, createBaseline } from './bench/baseline.mjs'
import { formatPage, formatTable } from './bench/format-page.mjs'
import { keepSections } from './bench/sections.mjs'

const root = resolve(import.meta.dirname, '..')
const page = join(root, 'docs/performance.md')
const baselineFile = join(import.meta.dirname, 'bench/baseline.json')

/** In the order of the page. Each is a file of `bench/topics`. */
const TOPICS = [
  'bytes',
  'blocks',
  'programs',
  'command',
  'store',
  'servers',
  'replicas',
  'gateway',
  'pages',
  'terminal',
  'growth',
  'turns',
  'ai-sdk',
  'hostile',
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    large: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
  },
})
const unknown = positionals.find((topic) => !TOPICS.includes(topic))
if (unknown !== undefined)
  throw new Error(`No topic is named "${unknown}". Use: ${TOPICS.join(', ')}.`)
const topics = positionals.length > 0 ? positionals : TOPICS

/** Measures a topic in a process of its own. Returns its rows. */
async function measure(topic, form) {
  const start = performance.now()
  const script = join(import.meta.dirname, 'bench/run-topic.mjs')
  const flags = values.large ? ['--large'] : []
  const { stdout } = await execa(process.execPath, [script, topic, form, ...flags], {
    cwd: root,
    stderr: 'inherit',
  })
  console.error(`${topic}: ${((performance.now() - start) / 1000).toFixed(0)} s`)
  return JSON.parse(stdout)
}

async function measureAll(form) {
  const sections = []
  for (const topic of topics) {
    const { title, intro } = await import(`./bench/topics/${topic}.mjs`)
    const rows = await measure(topic, form)
    sections.push({ topic, title, intro, rows })
    if (!values.check) console.log(`\n## ${title}\n\n${formatTable(rows)}`)
  }
  return sections
}

/** What the figures depend on. */
function describeMachine() {
  const commit = execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  })
  const changes = execFileSync(
    'git',
    ['status', '--porcelain', '--', 'packages', 'apps', 'pnpm-lock.yaml'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  const [{ model }] = cpus()
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: `${commit.trim()}${changes === '' ? '' : ', with changes that are not committed'}`,
    node: process.versions.node,
    v8: process.versions.v8,
    system: `${platform()} ${release()}`,
    processor: `${cpus().length} × ${model.trim()}`,
  }
}

async function writePage() {
  const sections = await measureAll('full')
  if (positionals.length > 0) return
  const written = formatPage(sections, describeMachine(), values)
  writeFileSync(page, keepSections(written, readFileSync(page, 'utf8')))
  await execa('pnpm', ['exec', 'oxfmt', page], { cwd: root })
}

/** Three runs show by how much a ratio differs from run to run. */
async function updateBaseline() {
  const runs = []
  for (let run = 0; run < 3; run += 1) runs.push(await measureAll('quick'))
  const before = positionals.length > 0 ? JSON.parse(readFileSync(baselineFile, 'utf8')) : {}
  writeFileSync(baselineFile, `${JSON.stringify(createBaseline(runs, before), null, 2)}\n`)
  await execa('pnpm', ['exec', 'oxfmt', baselineFile], { cwd: root })
}

const measureAgain = async (topic) => await measure(topic, 'quick')

async function check() {
  const baseline = JSON.parse(readFileSync(baselineFile, 'utf8'))
  const { table, worse } = await compareWithBaseline(
    await measureAll('quick'),
    baseline,
    measureAgain,
  )
  console.log(table)
  if (worse.length === 0) return
  console.error(`\n${worse.length} ratios are worse than the baseline in every one of four runs:`)
  for (const line of worse) console.error(line)
  console.error('If the change is intended, write a new baseline with "pnpm bench --update".')
  process.exitCode = 1
}

if (values.check) await check()
else if (values.update) await updateBaseline()
else if (values.quick) await measureAll('quick')
else await writePage()
