// Records published MCP servers for packages/mcp-bridge/src/gateway/replayed-servers.test.ts: what they answer to initialize, to the requests for
// lists, and to some calls that need no network. It installs them from npm, without their install scripts, into a temporary folder or into FOLDER.
// It starts each with an own home folder and with keys that are not valid.
//
//   pnpm exec node tools/record-servers.mjs [--folder FOLDER] [NAME …]
import { spawn, spawnSync } from 'node:child_process'
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

const KEY = 'not-a-valid-key'
/** The folder that stands in recordings for the temporary folder of a server. */
const DATA = '/data'
/** Stands for the home folder of a server. */
const HOME = '/home/user'

const entity = { name: 'Ann', entityType: 'person', observations: ['tall'] }
const thought = { thought: 'Count.', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }
const call = (name, args = {}) => ['tools/call', { name, arguments: args }]

/** The servers: the package, its program, arguments and variables, and requests after the lists. */
const SERVERS = {
  everything: {
    package: '@modelcontextprotocol/server-everything',
    args: ['stdio'],
    requests: [
      call('echo', { message: 'hi' }),
      call('get-sum', { a: 2, b: 3 }),
      call('get-annotated-message', { messageType: 'error', includeImage: true }),
      call('get-resource-links', { count: 3 }),
      call('get-resource-reference', { resourceType: 'Blob', resourceId: 2 }),
      call('get-structured-content', { location: 'New York' }),
      call('get-tiny-image'),
      call('echo', { message: 3 }),
      ['prompts/get', { name: 'simple-prompt' }],
      ['prompts/get', { name: 'args-prompt', arguments: { city: 'Oslo' } }],
      ['resources/read', { uri: 'demo://resource/dynamic/text/1' }],
    ],
  },
  filesystem: {
    package: '@modelcontextprotocol/server-filesystem',
    args: [DATA],
    requests: [
      call('list_directory', { path: DATA }),
      call('read_text_file', { path: `${DATA}/a.txt` }),
      call('read_media_file', { path: `${DATA}/b.wav` }),
      call('directory_tree', { path: DATA }),
      call('read_text_file', { path: '/etc/passwd' }),
    ],
  },
  memory: {
    package: '@modelcontextprotocol/server-memory',
    env: { MEMORY_FILE_PATH: `${DATA}/memory.jsonl` },
    requests: [
      call('create_entities', { entities: [entity] }),
      call('read_graph'),
      call('search_nodes', { query: 'Ann' }),
    ],
  },
  'sequential-thinking': {
    package: '@modelcontextprotocol/server-sequential-thinking',
    requests: [call('sequentialthinking', thought)],
  },
  playwright: { package: '@playwright/mcp' },
  'chrome-devtools': { package: 'chrome-devtools-mcp', args: ['--no-usage-statistics'] },
  context7: { package: '@upstash/context7-mcp' },
  notion: { package: '@notionhq/notion-mcp-server', env: { NOTION_TOKEN: KEY } },
  mongodb: { package: 'mongodb-mcp-server', env: { MDB_MCP_TELEMETRY: 'disabled' } },
  'desktop-commander': {
    package: '@wonderwhy-er/desktop-commander',
    program: 'desktop-commander',
    requests: [
      call('list_directory', { path: DATA }),
      call('read_file', { path: `${DATA}/a.txt` }),
    ],
  },
  figma: {
    package: 'figma-developer-mcp',
    args: ['--stdio', `--figma-api-key=${KEY}`],
  },
  firecrawl: { package: 'firecrawl-mcp', env: { FIRECRAWL_API_KEY: KEY } },
  tavily: { package: 'tavily-mcp', env: { TAVILY_API_KEY: KEY } },
  exa: { package: 'exa-mcp-server', env: { EXA_API_KEY: KEY } },
  kubernetes: { package: 'mcp-server-kubernetes' },
}

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
    .map((name) => SERVERS[name].package)
    .filter((name) => !existsSync(join(folder, 'node_modules', name)))
  if (missing.length > 0) install(missing)
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

function install(packages) {
  writeFileSync(join(folder, 'package.json'), '{"private": true}')
  const { status } = spawnSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages],
    { cwd: folder, stdio: 'inherit' },
  )
  if (status !== 0) throw new Error('npm install failed')
}

async function record(name, { package: from, program, args = [], env = {}, requests = [] }) {
  const root = join(folder, 'node_modules', from)
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { bin } = manifest
  const file = typeof bin === 'string' ? bin : (bin[program] ?? Object.values(bin)[0])
  const home = mkdtempSync(join(own, 'home-'))
  const data = join(home, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'a.txt'), 'one\ntwo\n')
  writeFileSync(join(data, 'b.wav'), 'RIFFxxxxWAVE')
  const place = (value) => JSON.parse(JSON.stringify(value).replaceAll(DATA, data))
  const child = spawn(process.execPath, [join(root, file), ...place(args)], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      ...place(env),
    },
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
    send({ id, method, params: place(params) })
    const message = await promise
    clearTimeout(timer)
    return JSON.parse(JSON.stringify(message).replaceAll(data, DATA).replaceAll(home, HOME))
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
