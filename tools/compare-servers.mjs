// Compares MCP servers as a client receives them bare and through `toolblocks serve --server`:
// node tools/compare-servers.mjs [NAME | NAME=COMMAND …] [--runs=5] [--folder=FOLDER] [--command=FILE] [--write]
// Without servers, and for a NAME alone, the servers are those of compare-servers/nine.mjs, which are installed from npm by their exact versions, without
// install scripts, into a temporary folder or into --folder. They need Chromium (/usr/bin/chromium, or the variable CHROMIUM). --command: a built command (default: it is
// built). --runs=0 measures no times. --write: writes the section of docs/connecting-mcp.md. Prints a table and each difference. What differs from run to run is replaced before
// (compare-servers/find-differences.mjs). The exit code is 1 if a difference has no reason in compare-servers/explained.mjs.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { cpus, platform, release, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { split } from 'shlex'
import { buildCommand } from '../apps/reference-host/bundle/build-command.ts'
import { replaceSection } from './bench/sections.mjs'
import { askAll, connect, planRequests } from './compare-servers/ask-server.mjs'
import { explain } from './compare-servers/explained.mjs'
import { findDifferences } from './compare-servers/find-differences.mjs'
import {
  COMPARED,
  countUnexplained,
  formatDifference,
  formatRows,
  formatSection,
} from './compare-servers/format-servers.mjs'
import { PAGE, SERVERS_COMPARED } from './compare-servers/nine.mjs'
import { findServer, installServers, makeHome } from './published-servers/servers.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '5' },
    folder: { type: 'string' },
    command: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const runs = Number(values.runs)
const root = join(import.meta.dirname, '..')
const page = join(root, 'docs/connecting-mcp.md')
const WAYS = ['bare', 'gateway']

const own = mkdtempSync(join(tmpdir(), 'toolblocks-compared-'))
const pages = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html')
  response.end('<!doctype html><title>Page</title><h1>Hello</h1><button>Go</button>')
})
pages.listen(0, '127.0.0.1')
try {
  await once(pages, 'listening')
  const address = `http://127.0.0.1:${pages.address().port}/`
  const servers = prepare(positionals.length > 0 ? positionals : Object.keys(SERVERS_COMPARED))
  const command = values.command ?? (await buildCommand('compare-servers'))
  const rows = []
  for (const server of servers) {
    const row = await compare(server, { command, address })
    rows.push(row)
    for (const each of row.differences) console.log(formatDifference(row.name, each))
    console.log(formatRows([row]).split('\n').at(-1))
  }
  console.log(`\n${formatRows(rows)}`)
  if (values.write) writePage(rows)
  if (rows.some((row) => countUnexplained(row) > 0)) process.exitCode = 1
} finally {
  pages.close()
  rmSync(own, { recursive: true, force: true, maxRetries: 5 })
}

/** Reads which servers are compared, and installs those that are published. Returns their command lines, variables and requests. */
function prepare(serverArgs) {
  const folder = values.folder ?? own
  const known = serverArgs.filter((word) => !word.includes('='))
  const unknown = known.find((name) => !Object.hasOwn(SERVERS_COMPARED, name))
  if (unknown !== undefined)
    throw new Error(
      `${JSON.stringify(unknown)}: expected NAME=COMMAND or one of ${Object.keys(SERVERS_COMPARED).join(', ')}`,
    )
  const missing = known
    .map((name) => SERVERS_COMPARED[name])
    .filter((server) => !isInstalled(folder, server))
  if (missing.length > 0)
    installServers(
      folder,
      missing.map((server) => `${server.package}@${server.version}`),
    )
  return serverArgs.map((word) => {
    const [name, ...rest] = word.split('=')
    if (rest.length > 0) {
      const [command, ...args] = split(rest.join('='))
      return { name, version: '', command, args, env: {}, requests: [] }
    }
    const server = SERVERS_COMPARED[name]
    const { file } = findServer(folder, server)
    const { version, args, env = {}, requests } = server
    return { name, version, command: process.execPath, args: [file, ...args], env, requests }
  })
}

function isInstalled(folder, server) {
  if (!existsSync(join(folder, 'node_modules', server.package))) return false
  return findServer(folder, server).manifest.version === server.version
}

/** Returns how a server is started in a way. `options`: those of `serve`. */
function plan({ name, command, args, env }, way, { main, options = [] }) {
  const { home, data, env: variables, fillIn, hide } = makeHome(own, env)
  const commandLine = [command, ...fillIn(args)]
  const line = commandLine.map((word) => `'${word.replaceAll("'", `'"'"'`)}'`).join(' ')
  const passed = Object.keys(env).flatMap((variable) => ['--env', variable])
  const served = [main, 'serve', '--server', `${name}=${line}`, ...passed, ...options]
  const [program, rest] =
    way === 'bare' ? [commandLine[0], commandLine.slice(1)] : [process.execPath, served]
  return { start: { command: program, args: rest, cwd: home, env: variables, data }, fillIn, hide }
}

async function compare(server, { command: main, address }) {
  const outcomes = {}
  let planned
  for (const way of WAYS) {
    const { start, fillIn, hide } = plan(server, way, { main, options: ['--accept'] })
    const session = await connect(start)
    try {
      const ownRequests = fillIn(server.requests)
      const { answers, requests, tools } = await askAll(session, (listed) => {
        // The same requests in both ways, whatever the second one lists.
        planned ??= planRequests(listed, server.requests)
        return [...JSON.parse(JSON.stringify(ownRequests).replaceAll(PAGE, address)), ...planned]
      })
      const hidden = [...answers].map(([key, value]) => [hide(key), value && hide(value)])
      outcomes[way] = { answers: new Map(hidden), requests, tools }
    } finally {
      await session.client.close()
    }
  }
  const { bare, gateway } = outcomes
  const differences = findDifferences(bare.answers, gateway.answers).map(explain)
  const times =
    runs > 0 ? await measure(server, main) : { bareMs: Number.NaN, gatewayMs: Number.NaN }
  const { name, version } = server
  return { name, version, tools: bare.tools, requests: bare.requests, differences, ...times }
}

/** Returns the median times until a client has the tools, and how often the gateway answered before the server had started. */
async function measure(server, main) {
  const plans = WAYS.map((way) => ({ way, times: [], ...plan(server, way, { main }) }))
  let early = 0
  // The first run writes and reads what later ones find.
  for (let run = 0; run <= runs; run += 1) {
    const names = []
    for (const { start, times } of plans) {
      const begun = performance.now()
      const { client } = await connect(start)
      await client.request({ method: 'tools/list', params: {} }, ResultSchema)
      if (run > 0) times.push(performance.now() - begun)
      names.push(client.getServerVersion().name)
      await client.close()
    }
    if (run > 0 && names[0] !== names[1]) early += 1
  }
  const [bareMs, gatewayMs] = plans.map(
    ({ times }) => times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) / 2)] ?? 0,
  )
  return { bareMs, gatewayMs, early }
}

function writePage(rows) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const [{ model }] = cpus()
  const section = formatSection(rows, {
    runs,
    date: new Date().toISOString().slice(0, 10),
    commit: git('rev-parse', '--short=10', 'HEAD'),
    machine: `Node.js ${process.versions.node} on ${platform()} ${release()}, ${cpus().length} × ${model.trim()}`,
  })
  writeFileSync(page, replaceSection(readFileSync(page, 'utf8'), COMPARED, section))
  execFileSync('pnpm', ['exec', 'oxfmt', page], { cwd: root })
}
