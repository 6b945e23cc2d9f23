// Runs a host with a server, directly or through the gateway, and returns what its model and the server received.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { formatHostEntry } from '../../apps/reference-host/src/cli/hosts/gateway-entry.ts'
import { changeHostText } from '../../apps/reference-host/src/cli/hosts/host-file.ts'
import { MCP_HOSTS } from '../../apps/reference-host/src/cli/hosts/mcp-hosts.ts'
import { startModel } from './model.mjs'

/** The name of the server in every host. */
export const NAME = 'tested'
/** Milliseconds of one run of a host, if nothing else is said. */
const LIMIT_MS = 120_000

/** Creates a folder for the settings of a host. */
export function makeHome({ id }, folder) {
  return mkdtempSync(join(folder, `home-${id}-`))
}

/** The variables of a host, and of programs that a person starts beside it. */
export function getEnvironment(host, home, url) {
  return {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: home,
    ...host.variables?.(url),
  }
}

/**
 * Runs a host until it ends. `installed`: the folder of its package. `home`: its settings of an earlier run. `onStart` receives a function that kills the host and all that
 * it has started.
 */
export async function useHost(
  host,
  { server, way, main, folder, limitMs = LIMIT_MS, home = makeHome(host, folder), onStart },
) {
  const log = join(home, 'server.jsonl')
  const model = await startModel(host, server.calls)
  const environment = getEnvironment(host, home, model.url)
  const args = server.isLogging ? [...server.args, log] : server.args
  try {
    const direct = { name: NAME, command: process.execPath, args }
    const line = [process.execPath, ...args].map((word) => `"${word}"`).join(' ')
    const served = ['serve', '--server', `${NAME}=${line}`, '--protocol-version', server.version]
    if (host.results !== undefined) served.push('--results', host.results)
    served.push(...(server.options ?? []))
    const entry = way === 'direct' ? direct : { ...direct, args: [main, ...served] }
    if (host.install === undefined) writeFiles(home, host.files?.({ url: model.url, entry }) ?? {})
    else addEntry(host, { home, environment, url: model.url, way, direct, main, served })
    const about = { folder, home, environment, entry, url: model.url, limitMs, onStart }
    const ended = await run(host, about)
    return {
      results: model.results.map((result) => JSON.stringify(result)),
      last: model.last(),
      times: model.times,
      ended,
      received: existsSync(log) ? readLines(log) : [],
    }
  } finally {
    model.close()
  }
}

function writeFiles(home, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), text)
  }
}

/** Adds the server to the file of a host that `serve --install` knows, in one of the two ways. */
function addEntry(host, { home, environment, url, way, direct, main, served }) {
  const file = MCP_HOSTS[host.install].file({ home, platform: process.platform, environment })
  mkdirSync(dirname(file), { recursive: true })
  const settings = host.settings?.(url) ?? ''
  if (way === 'direct') {
    const added = { name: direct.name, entry: formatHostEntry(host.install, direct) }
    writeFileSync(file, changeHostText(host.install, settings, [added]).text)
    return
  }
  if (settings !== '') writeFileSync(file, settings)
  execFileSync(process.execPath, [main, ...served, '--install', host.install, '--yes'], {
    cwd: home,
    env: environment,
  })
}

/** Returns when the host has ended. What it prints is kept in its folder. */
async function run(host, { folder, home, environment, entry, url, limitMs, onStart }) {
  const [program, ...args] = host.command({ url, entry, modules: findModules(host, folder) })
  const output = []
  const child = spawn(program, args, {
    cwd: home,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => output.push(String(chunk)))
  const timer = setTimeout(() => endGroup(child), limitMs)
  onStart?.(() => endGroup(child))
  await new Promise((done) => child.once('exit', done))
  const ended = Date.now()
  clearTimeout(timer)
  endGroup(child)
  endDaemons(home)
  writeFileSync(join(home, 'output.txt'), output.join(''))
  return ended
}

/** Ends a host with all that it has started in its group. */
function endGroup({ pid }) {
  endProcess(-pid)
}

function endProcess(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

/** Ends the processes that a host has left: those that name its folder, which only this run has. */
function endDaemons(home) {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n')
  for (const line of lines.filter((each) => each.includes(home))) endProcess(parseInt(line, 10))
}

/** The folder of node_modules in which a host is installed: its own below the folder, or the folder's. */
export function findModules({ id }, folder) {
  const own = join(folder, id, 'node_modules')
  return existsSync(own) ? own : join(folder, 'node_modules')
}

function readLines(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}
