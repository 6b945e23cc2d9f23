// Loads `toolblocks serve --http` with clients of the official SDKs on the loopback address, and counts the calls that are lost, refused or answered wrongly:
// node tools/load-service.mjs [--sessions=1,100,1000] [--calls=20] [--way=http,program,own] [--client=2025-11-25,2026-07-28] [--command=FILE] [--write]
// --command: a built command (default: it is built). --write: writes the section of docs/performance.md. The exit code is 1 if a target is missed.
import { execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, platform, release, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { execa } from 'execa'
import { buildCommand } from '../apps/reference-host/bundle/build-command.ts'
import { LOAD, replaceSection } from './bench/sections.mjs'
import { formatLoad, formatRows, isMet } from './load-service/format-load.mjs'

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '1,100,1000' },
    calls: { type: 'string', default: '20' },
    way: { type: 'string', default: 'http,program,own' },
    client: { type: 'string', default: '2025-11-25,2026-07-28' },
    command: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const calls = Number(values.calls)
const root = join(import.meta.dirname, '..')
const page = join(root, 'docs/performance.md')
const beside = (name) => join(import.meta.dirname, 'load-service', name)
const SERVER = beside('marked-server.mjs')
/** The most clients in one process. */
const MAX_CLIENTS = 250
/** Each session has a program of its own, so more sessions would measure the starts of programs. */
const MAX_PROGRAM_SESSIONS = 100
/** Below this number, the memory of a session cannot be told from that of the process. */
const MIN_MEASURED_SESSIONS = 100
/** The clients that call before a measurement, so that the first of its calls do not load and compile what they need. */
const EARLY_CLIENTS = 50

const CONFIGURATION = `
[tools.say]
source = "local"
command = ["echo", "{{tool.arguments.text}}"]
run = "unattended"
parameters.text = { type = "string" }
`

/** Adds to a process a question to it, whose answer is its next message, and its end. */
function control(child) {
  const isEnded = once(child, 'exit')
  return {
    child,
    receive: async () => (await once(child, 'message'))[0],
    async ask(message) {
      const answer = once(child, 'message')
      child.send(message)
      return (await answer)[0]
    },
    async end() {
      child.kill('SIGTERM')
      await isEnded
    },
  }
}

/** Starts the command, and returns its process, address and token. */
async function serve(command, folder, args) {
  const observed = ['--expose-gc', '--import', beside('report-use.mjs')]
  const child = spawn(process.execPath, [...observed, command, 'serve', '--http', '0', ...args], {
    cwd: folder,
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const lines = []
  let url
  let token
  for await (const line of createInterface(child.stderr)) {
    lines.push(line)
    url ??= /at (http:\S+)/.exec(line)?.[1]
    token = /Bearer (\S+)/.exec(line)?.[1]
    if (token !== undefined) break
  }
  if (token === undefined) throw new Error(`toolblocks serve has ended: ${lines.join(' ')}`)
  return { ...control(child), url, token }
}

/** Prepares what is served, and returns the words that serve it. */
async function openWay(way, folder) {
  switch (way) {
    case 'own':
      writeFileSync(join(folder, 'toolblocks.toml'), CONFIGURATION)
      return { args: ['--trust'] }
    case 'program':
      return { args: ['--server', `say="${process.execPath}" "${SERVER}"`] }
    case 'http': {
      const server = control(fork(SERVER, ['http']))
      const { url } = await server.receive()
      return { args: ['--server', `say=${url}`], server }
    }
    default:
      throw new Error(`--way=${way}: expected http, program or own`)
  }
}

/** Starts processes with clients. `work` lets all of them do the same at the same time. */
async function withClients(count, connection, use) {
  const size = Math.ceil(count / Math.ceil(count / MAX_CLIENTS))
  const processes = []
  for (let first = 0; first < count; first += size)
    processes.push({ first, ...control(fork(beside('clients.mjs'))) })
  const work = async (name) => {
    const start = performance.now()
    const answers = await Promise.all(
      processes.map(async ({ ask, first }) => {
        const some = { first, count: Math.min(size, count - first) }
        return await ask({ work: name, calls, ...connection, ...some })
      }),
    )
    return {
      ms: performance.now() - start,
      times: answers.flatMap(({ times = [] }) => times),
      problems: answers.flatMap(({ problems = [] }) => problems),
    }
  }
  try {
    return await use(work)
  } finally {
    await Promise.all(processes.map(async ({ end }) => await end()))
  }
}

/** Counts a process and all that it has started. */
async function countProcesses(pid) {
  const { stdout } = await execa('ps', ['-A', '-o', 'pid=,ppid='])
  const all = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  const pids = [pid]
  for (const each of pids)
    pids.push(...all.filter(([, parent]) => parent === each).map(([id]) => id))
  return pids.length
}

/** Measures one row of the table. */
async function measure(command, { way, version, sessions }) {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-load-'))
  const running = []
  try {
    const { args, server } = await openWay(way, folder)
    if (server) running.push(server)
    const service = await serve(command, folder, args)
    running.push(service)
    const { url, token } = service
    const connection = { version, url, token }
    await withClients(Math.min(EARLY_CLIENTS, sessions), connection, async (work) => {
      for (const step of ['connect', 'call', 'close']) await work(step)
    })
    const before = await service.ask({})
    const early = await server?.ask({})
    return await withClients(sessions, connection, async (work) => {
      const connected = await work('connect')
      const called = await work('call')
      const idle = await service.ask({})
      const late = await server?.ask({})
      const row = summarize({ connected, called, sessions, executed: late?.calls - early?.calls })
      const processes = await countProcesses(service.child.pid)
      await work('close')
      return {
        ...row,
        way,
        version,
        sessions,
        calls,
        processes,
        cpuMs: (idle.cpuMs - before.cpuMs) / (sessions * calls),
        memoryMb: idle.bytes / 2 ** 20,
        ...(sessions >= MIN_MEASURED_SESSIONS && {
          sessionKb: (idle.bytes - before.bytes) / sessions / 2 ** 10,
        }),
      }
    })
  } finally {
    for (const each of running.toReversed()) await each.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `executed`: the calls that the server counted; not a number if it counts none. */
function summarize({ connected, called, sessions, executed }) {
  const problems = [...connected.problems, ...called.problems]
  const count = (kind) => problems.filter(([each]) => each === kind).length
  const times = called.times.toSorted((a, b) => a - b)
  return {
    lost: count('lost'),
    wrong: count('wrong') + Math.max(0, (executed || 0) - sessions * calls),
    refused: count('refused'),
    problems: [...Map.groupBy(problems, ([, text]) => text)]
      .toSorted(([, some], [, others]) => others.length - some.length)
      .map(([text, some]) => `${some.length} × ${text}`),
    connectMs: connected.ms,
    median: getShare(times, 0.5),
    late: getShare(times, 0.95),
    rate: times.length / (called.ms / 1000),
  }
}

const getShare = (sorted, share) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN

function writePage(rows) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const [{ model }] = cpus()
  const section = formatLoad(rows, {
    date: new Date().toISOString().slice(0, 10),
    commit: git('rev-parse', '--short=10', 'HEAD'),
    machine: `Node.js ${process.versions.node} on ${platform()} ${release()}, ${cpus().length} × ${model.trim()}`,
  })
  writeFileSync(page, replaceSection(readFileSync(page, 'utf8'), LOAD, section))
  execFileSync('pnpm', ['exec', 'oxfmt', page], { cwd: root })
}

const command = values.command ?? (await buildCommand('load-service'))
const rows = []
for (const way of values.way.split(','))
  for (const version of values.client.split(','))
    for (const sessions of values.sessions.split(',').map(Number)) {
      if (way === 'program' && sessions > MAX_PROGRAM_SESSIONS) continue
      const row = await measure(command, { way, version, sessions })
      rows.push(row)
      console.log(formatRows([row]).split('\n').at(-1))
      for (const problem of row.problems.slice(0, 10)) console.error(problem)
    }
if (values.write) writePage(rows)
if (!rows.every(isMet)) process.exitCode = 1
