// Shows that calls continue without their hosts: node tools/continue-in-hosts.mjs [--long] [FOLDER]. A host calls a tool that needs approval, and is killed while the question waits. A
// person says yes on the page, at the size of a phone. The host makes the same call again, and it is executed once: Claude Code and Codex. With --long, a call takes 310 seconds: also
// Copilot CLI and Gemini CLI, with their own time limits. The hosts are installed into a temporary folder, unless FOLDER has ID/node_modules. Their models are on loopback.
// Expected: each call is executed once, and its model gets the result, else the exit code is 1.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { buildCommand } from '../apps/reference-host/bundle/build-command.ts'
import { startBrowser } from '../packages/viewer/browser/browser.support.ts'
import { PROGRAMS } from './compare-gateway-hosts/hosts.mjs'
import { readVersion } from './compare-gateway-hosts/measure.mjs'
import { getEnvironment, makeHome, useHost } from './compare-gateway-hosts/use-host.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { long: { type: 'boolean', default: false } },
})
const IDS = values.long ? ['claude', 'codex', 'copilot', 'gemini'] : ['claude', 'codex']
const HOSTS = PROGRAMS.filter(({ id }) => IDS.includes(id))
/** Longer than the time limits of Codex (300) and Copilot CLI (180). */
const LONG_SECONDS = 310
const PHONE = { width: 360, height: 740 }
const POLL_MS = 300
const LIMIT_MS = 90_000

/** Calls the tool, once for each run of the host. */
function createServer(file) {
  return {
    version: '2025-11-25',
    args: [join(import.meta.dirname, 'compare-gateway-hosts/writing-server.mjs'), file],
    options: ['--policy', 'write_line=ask', '--park'],
    calls: [{ tool: 'write_line', input: { line: 'once' } }],
  }
}

/** Runs a host until its call waits for a person, and kills it. Returns the id of the question. */
async function killWhileWaiting(host, how) {
  const deadline = Date.now() + LIMIT_MS
  // A host gives up a server that a busy machine starts too slowly, and then ends by itself.
  while (Date.now() < deadline) {
    let kill
    const over = new AbortController()
    const ended = useHost(host, { ...how, onStart: (end) => (kill = end) }).finally(() =>
      over.abort(),
    )
    try {
      while (!over.signal.aborted && Date.now() < deadline) {
        const { questions = [] } = readQuestions(host, how)
        if (questions.length > 0) return questions[0].id
        await pause(POLL_MS)
      }
    } finally {
      if (!over.signal.aborted) kill?.()
      await ended
    }
  }
  throw new Error(`${host.title} has asked nothing`)
}

function readQuestions(host, { main, home }) {
  const environment = getEnvironment(host, home, '')
  try {
    const args = [main, 'questions', 'list', '--output', 'json']
    const options = { cwd: home, env: environment, encoding: 'utf8', stdio: 'pipe' }
    return JSON.parse(execFileSync(process.execPath, args, options))
  } catch {
    // Before the first record there is no store.
    return {}
  }
}

/** Allows the call on the page. */
async function answerOnPage(host, { main, home }) {
  const view = spawn(process.execPath, [main, 'view', '--answer', '--no-open'], {
    cwd: home,
    env: getEnvironment(host, home, ''),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const browser = await startBrowser()
  try {
    const [address] = await new Promise((resolve) => {
      createInterface({ input: view.stdout }).once('line', (line) => resolve([line]))
    })
    const page = await browser.newPage({ viewport: PHONE })
    await page.goto(address)
    await page.getByRole('link', { name: /Questions/ }).click()
    await page.locator('a[href*="question?id="]').first().click()
    await page.getByRole('button', { name: 'Allow this call' }).click()
    await page.getByText('Allowed on a page.').waitFor()
  } finally {
    await browser.close()
    view.kill('SIGINT')
    await new Promise((resolve) => view.once('exit', resolve))
  }
}

async function park(host, { main, folder }) {
  const home = makeHome(host, folder)
  const file = join(home, 'lines.txt')
  const how = { server: createServer(file), way: 'gateway', main, folder, home }
  const start = Date.now()
  const question = await killWhileWaiting(host, how)
  await answerOnPage(host, how)
  const { results } = await useHost(host, how)
  const lines = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const isOnce = lines === 'once\n' && results.join('').includes('wrote once')
  if (!isOnce) process.exitCode = 1
  const seconds = ((Date.now() - start) / 1000).toFixed(0)
  const outcome = isOnce ? 'executed once' : `executed: ${JSON.stringify(lines)}, ${results.join()}`
  console.log(
    `${host.title} ${readVersion(host, folder)}: question ${question}, ${outcome} (${seconds} s)`,
  )
}

/** Calls a tool that takes long, and does what the model is told until the result is there. */
async function takeLong(host, { main, folder }) {
  const home = makeHome(host, folder)
  const file = join(home, 'lines.txt')
  const input = { line: 'late', seconds: LONG_SECONDS }
  const calls = (results) => {
    if (results.length === 0) return { tool: 'write_line', input }
    const [, id] = /\{\\*"any\\*":\[\\*"([^"\\]+)/.exec(JSON.stringify(results.at(-1))) ?? []
    if (id !== undefined) return { tool: 'await', input: { any: [id], timeout_secs: 600 } }
    const isRunning = /still running|call await again/.test(JSON.stringify(results.at(-1)))
    return isRunning ? { tool: 'write_line', input } : undefined
  }
  const server = { ...createServer(file), options: [], calls }
  const start = Date.now()
  const limitMs = (LONG_SECONDS + 120) * 1000
  const { results } = await useHost(host, { server, way: 'gateway', main, folder, home, limitMs })
  const lines = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const isOnce = lines === 'late\n' && results.join('').includes('wrote late')
  if (!isOnce) process.exitCode = 1
  const seconds = ((Date.now() - start) / 1000).toFixed(0)
  const notices = results.filter((result) => result.includes('still running')).length
  const outcome = isOnce ? 'executed once' : `executed: ${JSON.stringify(lines)}, ${results.join()}`
  console.log(
    `${host.title} ${readVersion(host, folder)}: told ${notices} times that the call runs, ${outcome} (${seconds} s)`,
  )
}

const [installed] = positionals
const folder = installed ?? mkdtempSync(join(tmpdir(), 'toolblocks-hosts-'))
try {
  if (installed === undefined)
    for (const { id, packages } of HOSTS) {
      mkdirSync(join(folder, id))
      writeFileSync(join(folder, id, 'package.json'), '{"private":true}')
      const args = ['install', '--no-audit', '--no-fund', ...packages]
      execFileSync('npm', args, { cwd: join(folder, id), stdio: 'ignore' })
    }
  const main = await buildCommand('continue-in-hosts')
  if (values.long)
    await Promise.all(HOSTS.map(async (host) => await takeLong(host, { main, folder })))
  else for (const host of HOSTS) await park(host, { main, folder })
} finally {
  if (installed === undefined) rmSync(folder, { recursive: true, force: true })
}
