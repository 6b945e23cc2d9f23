// Records published MCP servers for packages/mcp-bridge/src/gateway/replayed-servers.test.ts: what they answer to initialize, to the requests for
// lists, and to some calls that need no network. It installs them from npm, without their install scripts, into a temporary folder or into FOLDER.
// It starts each with an own home folder and with keys that are not valid.
//
//   pnpm exec node tools/record-servers.mjs [--folder FOLDER] [NAME …]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import {
  findServer,
  installServers,
  makeHome,
  PACKAGES,
  SERVERS,
} from './published-servers/servers.mjs'

const LISTS = [
  ['tools', 'tools/list', 'tools'],
  ['prompts', 'prompts/list', 'prompts'],
  ['resources', 'resources/list', 'resources'],
  ['resources', 'resources/templates/list', 'resourceTemplates'],
]
const ANSWER_MS = 60_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { folder: { type: 'string' } },
})
const names = positionals.length > 0 ? positionals : Object.keys(SERVERS)
const own = mkdtempSync(join(tmpdir(), 'toolblocks-recorded-'))
const folder = values.folder ?? own
const target = join(import.meta.dirname, '../packages/mcp-bridge/recordings')
mkdirSync(target, { recursive: true })
try {
  const missing = names
    .flatMap((name) => [SERVERS[name].package, ...(SERVERS[name].beside ?? [])])
    .filter((name) => !existsSync(join(folder, 'node_modules', name)))
  if (missing.length > 0) installServers(folder, missing)
  for (const name of names) {
    try {
      const recording = await record(name, SERVERS[name])
      const compressed = gzipSync(JSON.stringify(recording), { level: 9 })
      writeFileSync(join(target, `${name}.json.gz`), compressed)
      const tools = recording.exchanges.flatMap(({ result }) => result.tools ?? [])
      console.log(
        `${name}: ${recording.package} ${recording.version} (${recording.licence}), ${tools.length} tools, ${recording.exchanges.length} answers, ${compressed.length} bytes`,
      )
    } catch (error) {
      console.log(`${name}: not recorded: ${error.message}`)
    }
  }
} finally {
  rmSync(own, { recursive: true, force: true })
}

async function record(name, server) {
  const { package: from, args = [], env, requests = [] } = server
  const { root, manifest, file } = findServer(folder, server)
  const { home, env: variables, fillIn, hide } = makeHome(own, fillInPackages(env))
  const child = spawn(process.execPath, [file, ...fillIn(args)], {
    cwd: home,
    env: variables,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  const waiting = new Map()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = readMessage(line)
    if (message && waiting.has(message.id)) waiting.get(message.id)(message)
  })
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  let id = 0
  const request = async (method, params) => {
    id += 1
    const { promise, resolve, reject } = Promise.withResolvers()
    const timer = setTimeout(() => reject(new Error(`${method} was not answered`)), ANSWER_MS)
    void ended.then(() => reject(new Error('the server has ended')), reject)
    waiting.set(id, resolve)
    send({ id, method, params: fillIn(params) })
    const message = await promise
    clearTimeout(timer)
    return hide(message)
  }
  const exchanges = []
  const add = async (method, params) => {
    const { result, error } = await request(method, params)
    if (error) throw new Error(`${method}: ${error.message}`)
    exchanges.push({ method, params, result })
    return result
  }
  try {
    const { capabilities } = await add('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'recorder', version: '1.0.0' },
    })
    send({ method: 'notifications/initialized' })
    for (const [capability, method] of LISTS) {
      if (!capabilities[capability]) continue
      const isTemplates = method === 'resources/templates/list'
      for (let cursor; ;) {
        const params = cursor === undefined ? {} : { cursor }
        const { result, error } = await request(method, params)
        // Servers with resources may have no templates.
        if (error && isTemplates) break
        if (error) throw new Error(`${method}: ${error.message}`)
        exchanges.push({ method, params, result })
        cursor = result.nextCursor
        if (cursor === undefined) break
      }
    }
    for (const [method, params] of requests) await add(method, params)
  } finally {
    child.kill('SIGKILL')
  }
  return {
    name,
    package: from,
    version: manifest.version,
    licence: readLicence(root, manifest),
    exchanges,
  }
}

function fillInPackages(env = {}) {
  const packages = join(folder, 'node_modules')
  return JSON.parse(JSON.stringify(env).replaceAll(PACKAGES, packages))
}

function readMessage(line) {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Returns the licence of the manifest, or the first line of the licence file. */
function readLicence(root, { license }) {
  if (license !== undefined && !license.startsWith('SEE ')) return license
  const file = readdirSync(root).find((each) => /^licen[cs]e/i.test(each))
  if (file === undefined) return license ?? 'unknown'
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  return lines.find((line) => line.trim() !== '')?.trim() ?? 'unknown'
}
