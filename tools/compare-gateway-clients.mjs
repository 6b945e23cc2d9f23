// Compares what client libraries receive from a server directly, through the gateway, and through three replicas of it, of which each request goes to the
// next: node tools/compare-gateway-clients.mjs
// It installs the libraries into a temporary folder (1,200 packages), and prints the table of docs/fidelity.md. Expected: no difference, except connections
// that only the gateway makes possible.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { buildCommand } from '../apps/reference-host/bundle/build-command.ts'
import { startProxy } from '../journeys/stage/attacked-replicas.ts'
import { findFreePorts } from '../journeys/stage/free-ports.ts'
import { MIXED } from './compare-gateway-hosts/mixed-server.mjs'

/** The client libraries with the peers that they need; none needs an account. */
const LIBRARIES = [
  '@modelcontextprotocol/sdk',
  '@modelcontextprotocol/client',
  '@ai-sdk/mcp ai zod',
  '@langchain/mcp-adapters @langchain/core @langchain/langgraph langchain',
  'mcp-use@1 react',
  '@mastra/mcp @mastra/core',
  '@openai/agents',
  'mcporter',
  '@genkit-ai/mcp genkit',
  '@llamaindex/tools @llamaindex/core @llamaindex/env',
  '@strands-agents/sdk',
]
const FEATURES = ['tools', 'call', 'picture', 'prompts', 'prompt', 'resources', 'read']

const bridge = join(import.meta.dirname, '../packages/mcp-bridge')
const everything = createRequire(join(bridge, 'package.json'))
  .resolve('@modelcontextprotocol/server-everything/package.json')
  .replace('package.json', 'dist/index.js')
/** The texts of each mixed result. A library passes on what is for the user too: the application chooses. */
const mixed = Object.entries(MIXED).map(([tool, { says, hides = {} }]) => ({
  tool,
  says: { ...says, ...hides },
}))
const SERVERS = [
  {
    version: '2025-11-25',
    args: [everything, 'stdio'],
    call: ['echo', { message: 'hi' }],
    says: 'Echo: hi',
    picture: ['get-tiny-image', {}],
    prompt: ['args-prompt', { city: 'Oslo' }],
  },
  {
    version: '2026-07-28',
    args: [join(bridge, 'src/testing/feature-server.support.ts')],
    call: ['say', { text: 'hi' }],
    says: 'hi',
    picture: ['picture', {}],
    prompt: ['plain', {}],
  },
]

const MIXED_SERVER = {
  version: '2025-11-25',
  args: [join(import.meta.dirname, 'compare-gateway-hosts/mixed-server.mjs')],
  mixed,
}

/** Adds the ways to reach a server. */
function addEntries({ args, ...server }, main) {
  const command = process.execPath
  const line = [command, ...args].map((word) => `"${word}"`).join(' ')
  const served = ['serve', '--server', line, '--protocol-version', server.version]
  const plain = ['--no-record', '--no-pin', '--max-result', 'all']
  return {
    ...server,
    served,
    ways: {
      direct: { command, args },
      gateway: { command, args: [main, ...served, ...plain] },
    },
  }
}

/** Starts three replicas of the gateway behind a proxy without affinity. */
async function addReplicas({ served, ...server }, main, folder) {
  const ports = await findFreePorts(REPLICAS)
  for (const port of ports) {
    const address = ['--http', String(port), '--replica-address', `http://127.0.0.1:${port}`]
    const args = [main, ...served, ...address, '--token-env', 'TOKEN', '--no-pin']
    const child = spawn(process.execPath, [...args, '--max-result', 'all'], {
      cwd: folder,
      env: { ...environment(folder), TOKEN },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    running.push(child)
    await once(createInterface(child.stderr), 'line')
  }
  const proxy = await startProxy(ports)
  proxies.push(proxy)
  const replicas = { url: proxy.url.href, headers: { authorization: `Bearer ${TOKEN}` } }
  return { ...server, ways: { ...server.ways, replicas } }
}

const environment = (folder) => ({
  ...process.env,
  XDG_DATA_HOME: folder,
  XDG_CONFIG_HOME: folder,
})

const REPLICAS = 3
const TOKEN = 'the-token-of-all-libraries'
const running = []
const proxies = []

const folder = mkdtempSync(join(tmpdir(), 'toolblocks-clients-'))
try {
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps']
  const packages = LIBRARIES.flatMap((line) => line.split(' '))
  execFileSync('npm', [...install, ...packages], { cwd: folder, stdio: 'ignore' })
  const adapters = join(folder, 'clients.mjs')
  copyFileSync(
    fileURLToPath(new URL('compare-gateway-clients/clients.mjs', import.meta.url)),
    adapters,
  )
  const main = await buildCommand('gateway-clients')
  const servers = []
  for (const server of [...SERVERS, MIXED_SERVER])
    servers.push(await addReplicas(addEntries(server, main), main, folder))
  // The proxy runs in this process meanwhile.
  const ran = spawn(process.execPath, [adapters, JSON.stringify({ servers })], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: environment(folder),
  })
  const rows = (await text(ran.stdout))
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  const getVersion = (name) => {
    const [library] = name.split(' ')
    return JSON.parse(readFileSync(join(folder, 'node_modules', library, 'package.json'), 'utf8'))
      .version
  }
  console.log(`| client | version | server | way | ${FEATURES.join(' | ')} |`)
  console.log(
    `| ${['client', 'version', 'server', 'way', ...FEATURES].map(() => '---').join(' | ')} |`,
  )
  for (const { name, version, way, features, wrong } of rows) {
    if (wrong) {
      console.log(`\`${name}\`, mixed results, ${way}: ${wrong.length} wrong: ${wrong.join(', ')}`)
      continue
    }
    const cells = FEATURES.map((feature) => features[feature] ?? features.connect)
    console.log(
      `| \`${name}\` | ${getVersion(name)} | ${version} | ${way} | ${cells.join(' | ')} |`,
    )
  }
} finally {
  for (const child of running) {
    child.kill()
    await once(child, 'exit')
  }
  for (const proxy of proxies) proxy.close()
  rmSync(folder, { recursive: true, force: true })
}
