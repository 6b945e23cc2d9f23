// Compares what the models of real hosts and libraries receive from a server directly and through the gateway: node tools/compare-gateway-hosts.mjs [--write] [--only ID,…] [--likeness] [--mixed] [FOLDER]
// It installs them into a temporary folder (4 GB), and prints docs/hosts.md; --write writes it. With --only, the rows of other hosts stay. The models are on loopback, so no host needs an account.
// --likeness compares results of one kind each instead; --mixed prints only what is wrong in mixed results. FOLDER: one in which ID/node_modules are installed already. It takes half an hour.
// Expected: no losses through the gateway but those of `never`, else the exit code is 1, as for a host that does not run.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { buildCommand } from '../apps/reference-host/bundle/build-command.ts'
import { formatPage, formatRow, readRows } from './compare-gateway-hosts/format-page.mjs'
import { PROGRAMS } from './compare-gateway-hosts/hosts.mjs'
import { LIBRARIES } from './compare-gateway-hosts/libraries.mjs'
import { compareLikeness } from './compare-gateway-hosts/likeness.mjs'
import {
  measureLength,
  measureWhole,
  receivesNote,
  measureMixed,
  measureTime,
  readVersion,
} from './compare-gateway-hosts/measure.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean' },
    only: { type: 'string' },
    likeness: { type: 'boolean' },
    mixed: { type: 'boolean' },
  },
})
const only = values.only?.split(',')
const ALL_HOSTS = [...PROGRAMS, ...LIBRARIES]
const HOSTS = ALL_HOSTS.filter(({ id }) => only?.includes(id) ?? true)
/** Hosts that wait for slow tools at the same time, and the milliseconds between their starts. */
const WAITING = 8
const START_MS = 4000

function install(folder) {
  for (const { id, packages } of HOSTS) {
    mkdirSync(join(folder, id))
    writeFileSync(join(folder, id, 'package.json'), '{"private":true}')
    execFileSync('npm', ['install', '--no-audit', '--no-fund', ...packages], {
      cwd: join(folder, id),
      stdio: 'ignore',
    })
  }
}

/** Runs an action for each host, some of them at the same time, and returns the results in the order of the hosts. */
async function forEachHost(count, pauseMs, action) {
  const results = []
  const waiting = [...HOSTS.entries()]
  const lanes = Array.from({ length: count }, async (_, lane) => {
    await wait(lane * pauseMs)
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, host] = next
      results[index] = await action(host)
    }
  })
  await Promise.all(lanes)
  return results
}

async function measure(folder) {
  const main = await buildCommand('gateway-hosts')
  const contents = await forEachHost(2, 0, async (host) => ({
    direct: await measureMixed(host, { way: 'direct', main, folder }),
    gateway: await measureMixed(host, { way: 'gateway', main, folder }),
    length: await measureLength(host, { main, folder }),
    whole: await measureWhole(host, { main, folder }),
    isNoted: await receivesNote(host, { main, folder }),
  }))
  const times = await forEachHost(WAITING, START_MS, async (host) => {
    const [seconds, extended] = await Promise.all(
      [false, true].map((progress) => measureTime(host, { progress, main, folder })),
    )
    return { seconds, extended }
  })
  return HOSTS.map((host, index) => ({
    host,
    version: readVersion(host, folder),
    ...contents[index],
    ...times[index],
  }))
}

/** Reports what is expected otherwise. */
function check({ host: { title, never = [] }, direct, gateway, length, isNoted }) {
  const lost = gateway.wrong.filter((what) => !never.includes(what))
  if (direct.answered === 0) console.error(`${title} called no tool directly.`)
  if (lost.length > 0) console.error(`${title} loses through the gateway: ${lost.join(', ')}`)
  const isSilent = length !== undefined && !isNoted
  if (isSilent) console.error(`${title} receives no note about a text that is cut.`)
  if (direct.answered === 0 || lost.length > 0 || isSilent) process.exitCode = 1
}

function toRow({ host, version, direct, gateway, length, whole, seconds, extended }) {
  const { title, results, namePrefix } = host
  return formatRow({
    title,
    version,
    date: new Date().toISOString().slice(0, 10),
    name: results ?? namePrefix ?? direct.info?.name,
    asks: direct.asks,
    direct: direct.wrong,
    gateway: gateway.wrong,
    seconds,
    extended,
    length,
    whole,
  })
}

const [installed] = positionals
const folder = installed ?? mkdtempSync(join(tmpdir(), 'toolblocks-hosts-'))
try {
  if (installed === undefined) install(folder)
  if (values.likeness) {
    const main = await buildCommand('gateway-hosts')
    for (const host of HOSTS) {
      const lines = await compareLikeness(host, { main, folder })
      console.log(`${host.title}: ${lines.length === 0 ? 'everything is received and alike' : ''}`)
      for (const line of lines) console.log(`  ${line}`)
    }
  } else if (values.mixed) {
    const main = await buildCommand('gateway-hosts')
    for (const host of HOSTS) {
      const direct = await measureMixed(host, { way: 'direct', main, folder })
      const gateway = await measureMixed(host, { way: 'gateway', main, folder })
      check({ host, direct, gateway })
      const counts = `${direct.wrong.length} wrong directly, ${gateway.wrong.length} through the gateway`
      console.log(`${host.title} ${readVersion(host, folder)}: ${counts}`)
    }
  } else {
    const measured = await measure(folder)
    for (const each of measured) check(each)
    const file = join(import.meta.dirname, '../docs/hosts.md')
    const rows = existsSync(file) ? readRows(readFileSync(file, 'utf8')) : new Map()
    for (const each of measured) rows.set(each.host.title, toRow(each))
    const page = formatPage(ALL_HOSTS.map(({ title }) => rows.get(title)).filter(Boolean))
    if (values.write) {
      writeFileSync(file, page)
      execFileSync('pnpm', ['exec', 'oxfmt', file])
    } else console.log(page)
  }
} finally {
  if (installed === undefined) rmSync(folder, { recursive: true, force: true })
}
