// Compares what the models of real hosts receive from a server directly and through the gateway: node tools/compare-gateway-hosts.mjs
// It installs the hosts into a temporary folder (600 MB), writes their configuration with `serve --install`, and prints the table of docs/fidelity.md.
// The models are on loopback, so no host needs an account. Expected: no difference in the first table, except connections that only the gateway makes
// possible; in the second, no losses through the gateway but those of `never`, else the exit code is 1. An argument names a folder in which the hosts are installed already.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildCommand } from '../apps/reference-host/bundle/build-command.ts'
import { addHostEntry } from '../apps/reference-host/src/cli/hosts/host-file.ts'
import { MCP_HOSTS } from '../apps/reference-host/src/cli/hosts/mcp-hosts.ts'
import { anthropic } from '../journeys/stage/providers/anthropic.ts'
import { google } from '../journeys/stage/providers/google.ts'
import { MIXED } from './compare-gateway-hosts/mixed-server.mjs'
import { openaiResponses } from '../journeys/stage/providers/openai-responses.ts'

const PROMPT = 'Use the tools.'
const NAME = 'tested'

/** The hosts that run without an account. `variables` and `words` make one use a model at an address, and agree to every call. */
const HOSTS = [
  {
    title: 'Claude Code',
    host: 'claude',
    library: '@anthropic-ai/claude-code',
    wire: anthropic,
    variables: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      ENABLE_TOOL_SEARCH: 'false',
    }),
    command: ['claude', '-p', PROMPT, '--allowedTools', `mcp__${NAME}`],
  },
  {
    title: 'Codex',
    host: 'codex',
    library: '@openai/codex',
    wire: openaiResponses,
    settings: (url) =>
      `model = "gpt-5"\nmodel_provider = "loopback"\n\n[model_providers.loopback]\nname = "Loopback"\nbase_url = "${url}"\nwire_api = "responses"\n`,
    variables: () => ({}),
    command: [
      'codex',
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      PROMPT,
    ],
  },
  {
    title: 'GitHub Copilot CLI',
    host: 'copilot',
    /** What this host never shows its model. */
    never: ['picture beside structure'],
    library: '@github/copilot',
    wire: anthropic,
    variables: (url) => ({
      COPILOT_PROVIDER_BASE_URL: url,
      COPILOT_PROVIDER_TYPE: 'anthropic',
      COPILOT_PROVIDER_API_KEY: 'none',
      COPILOT_MODEL: 'claude-sonnet-4',
      COPILOT_OFFLINE: 'true',
    }),
    command: ['copilot', '-p', PROMPT, '--allow-all-tools'],
  },
  {
    title: 'Gemini CLI',
    host: 'gemini',
    library: '@google/gemini-cli',
    wire: google,
    settings: () => '{"security": {"auth": {"selectedType": "gemini-api-key"}}}\n',
    variables: (url) => ({
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_API_KEY: 'none',
      GEMINI_TELEMETRY_ENABLED: 'false',
    }),
    command: ['gemini', '-m', 'gemini-2.5-pro', '-p', PROMPT, '--yolo', '--skip-trust'],
  },
]

const bridge = join(import.meta.dirname, '../packages/mcp-bridge')
const everything = createRequire(join(bridge, 'package.json'))
  .resolve('@modelcontextprotocol/server-everything/package.json')
  .replace('package.json', 'dist/index.js')

/** The servers with calls, and a text that the model must receive of each result. */
const SERVERS = [
  {
    version: '2025-11-25',
    args: [everything, 'stdio'],
    calls: [
      { what: 'text', tool: 'echo', input: { message: 'hi' }, says: 'Echo: hi' },
      { what: 'picture', tool: 'get-tiny-image', input: {}, says: 'iVBOR' },
      {
        what: 'structure',
        tool: 'get-structured-content',
        input: { location: 'Chicago' },
        says: 'humidity',
      },
      { what: 'links', tool: 'get-resource-links', input: { count: 2 }, says: 'dynamic/text/2' },
      {
        what: 'resource',
        tool: 'get-resource-reference',
        input: { resourceType: 'Text', resourceId: 1 },
        says: 'This is a plaintext resource',
      },
    ],
  },
  {
    version: '2026-07-28',
    args: [join(bridge, 'src/testing/feature-server.support.ts')],
    calls: [
      { what: 'text', tool: 'say', input: { text: 'hi' }, says: 'hi' },
      { what: 'picture', tool: 'picture', input: {}, says: 'iVBOR' },
    ],
  },
]
/** Milliseconds of one run of a host. */
const LIMIT_MS = 120_000

/** Starts a model that calls the tools in their order. It returns the results that it has received. */
async function startModel({ wire }, calls) {
  const results = []
  let last = ''
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => {
      const body = text.startsWith('{') ? JSON.parse(text) : {}
      const tools = listTools(body.tools ?? [])
      // Hosts also make requests without tools, for example for the title of a conversation.
      const toolMessages =
        tools.length === 0 ? [] : wire.read(body).filter(({ role }) => role === 'tool')
      if (toolMessages.length > 0) last = text
      results.splice(0, toolMessages.length, ...toolMessages.map(({ content }) => content))
      const call = tools.length === 0 ? undefined : calls[toolMessages.length]
      const tool = tools.find(({ name }) => isTool(name, call?.tool))
      const made = tool
        ? [
            {
              id: `call_${toolMessages.length}`,
              name: tool.name,
              values: JSON.stringify(call.input),
            },
          ]
        : []
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const events = wire
        .write({ pieces: made.length === 0 ? ['Done.'] : [], calls: made })
        .join('')
      response.end(tool?.namespace ? addNamespace(events, tool) : events)
    })
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    results,
    /** The last request with results. */
    last: () => last,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Returns the tools of a request. Codex has those of a server in a namespace. */
function listTools(tools, namespace) {
  return tools.flatMap(({ name, functionDeclarations, tools: inside }) =>
    functionDeclarations || inside
      ? listTools(functionDeclarations ?? inside, inside && name)
      : [{ name, namespace }],
  )
}

function addNamespace(events, { name, namespace }) {
  const named = `"name":${JSON.stringify(name)}`
  return events.replaceAll(named, `${named},"namespace":${JSON.stringify(namespace)}`)
}

/** Hosts put the name of the server before the name of the tool, and may replace characters. */
function isTool(name, tool = ' ') {
  const [actual, wanted] = [name, tool].map((text = '') => text.replaceAll('-', '_'))
  return actual === wanted || actual.endsWith(`_${wanted}`)
}

/** Runs a host until it ends. */
async function run({ command: [program, ...args] }, folder, environment) {
  const child = spawn(join(folder, 'node_modules/.bin', program), args, {
    cwd: environment.HOME,
    env: environment,
    stdio: 'ignore',
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
  await new Promise((done) => child.once('close', done))
  clearTimeout(timer)
}

/** Runs a host with a server in one way, and returns what its model received. */
async function useHost(host, { server, way, main, folder }) {
  const home = mkdtempSync(join(folder, 'home-'))
  const model = await startModel(host, server.calls)
  const environment = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: home,
    ...host.variables(model.url),
  }
  try {
    const places = { home, platform: process.platform, environment }
    const file = MCP_HOSTS[host.host].file(places)
    mkdirSync(dirname(file), { recursive: true })
    const settings = host.settings?.(model.url) ?? ''
    const line = [process.execPath, ...server.args].map((word) => `"${word}"`).join(' ')
    if (way === 'direct') {
      const entry = { name: NAME, command: process.execPath, args: server.args }
      writeFileSync(file, addHostEntry(host.host, settings, entry).text)
    } else {
      if (settings !== '') writeFileSync(file, settings)
      const served = ['serve', '--server', `${NAME}=${line}`, '--protocol-version', server.version]
      execFileSync(process.execPath, [main, ...served, '--install', host.host, '--yes'], {
        cwd: home,
        env: environment,
      })
    }
    await run(host, folder, environment)
    return { results: model.results.map((result) => JSON.stringify(result)), last: model.last() }
  } finally {
    model.close()
  }
}

/** Removes what differs from run to run: the time of the server, how long Codex waited, and the file in which Claude Code keeps a picture. */
function toComparable(result = '') {
  return result.replaceAll(
    /\d{1,2}:\d\d:\d\d( [AP]M)?|Wall time: [\d.]+ seconds|source: \S+\.png/g,
    '…',
  )
}

/** The server whose results mix kinds of content. */
const MIXED_SERVER = {
  version: '2025-11-25',
  args: [join(import.meta.dirname, 'compare-gateway-hosts/mixed-server.mjs')],
  calls: Object.keys(MIXED).map((tool) => ({ tool, input: {} })),
}
const CHECKS = Object.values(MIXED).flatMap(({ says, hides = {} }) => [
  ...Object.entries(says).map(([what, text]) => ({ what, text, isWanted: true })),
  ...Object.entries(hides).map(([what, text]) => ({ what, text, isWanted: false })),
])

/** Returns what is wrong in what a model received of the mixed results: a text that it lacks, or one that is not for it. */
function findWrong({ results, last }) {
  const received = [...results, last].join('\n')
  return CHECKS.filter(({ text, isWanted }) => received.includes(text) !== isWanted).map(
    ({ what }) => what,
  )
}

async function printLikeness(folder, main) {
  const kinds = SERVERS[0].calls.map(({ what }) => what)
  console.log(`| host | version | server | ${kinds.join(' | ')} |`)
  console.log(`| ${['host', 'version', 'server', ...kinds].map(() => '---').join(' | ')} |`)
  for (const host of HOSTS)
    for (const server of SERVERS) {
      const direct = await useHost(host, { server, way: 'direct', main, folder })
      const gateway = await useHost(host, { server, way: 'gateway', main, folder })
      const cells = kinds.map((kind) => {
        const index = server.calls.findIndex(({ what }) => what === kind)
        if (index === -1) return '–'
        const { says } = server.calls[index]
        const [one, other] = [direct, gateway].map(({ last }) =>
          last.includes(says) ? 'yes' : 'no',
        )
        if (one !== other) return `${other} (directly: ${one})`
        const [before, after] = [direct, gateway].map(({ results }) => toComparable(results[index]))
        return before === after ? other : `${other}, different`
      })
      console.log(
        `| ${host.title} | ${readVersion(folder, host)} | ${server.version} | ${cells.join(' | ')} |`,
      )
    }
}

async function printMixed(folder, main) {
  console.log(`\n| model of | wrong directly (of ${CHECKS.length}) | through the gateway |`)
  console.log('| --- | --- | --- |')
  for (const host of HOSTS) {
    const direct = findWrong(
      await useHost(host, { server: MIXED_SERVER, way: 'direct', main, folder }),
    )
    const gateway = findWrong(
      await useHost(host, { server: MIXED_SERVER, way: 'gateway', main, folder }),
    )
    const { never = [] } = host
    if (gateway.some((what) => !never.includes(what))) process.exitCode = 1
    const cells = [direct, gateway].map(describeWrong)
    console.log(`| ${host.title} ${readVersion(folder, host)} | ${cells.join(' | ')} |`)
  }
}

function describeWrong(wrong) {
  return wrong.length === 0 ? '0' : `${wrong.length}: ${wrong.join(', ')}`
}

function readVersion(folder, { library }) {
  const file = join(folder, 'node_modules', library, 'package.json')
  return JSON.parse(readFileSync(file, 'utf8')).version
}

const [installed] = process.argv.slice(2)
const folder = installed ?? mkdtempSync(join(tmpdir(), 'toolblocks-hosts-'))
try {
  if (installed === undefined) {
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    const install = ['install', '--no-audit', '--no-fund']
    execFileSync('npm', [...install, ...HOSTS.map(({ library }) => library)], {
      cwd: folder,
      stdio: 'ignore',
    })
  }
  const main = await buildCommand('gateway-hosts')
  await printLikeness(folder, main)
  await printMixed(folder, main)
} finally {
  if (installed === undefined) rmSync(folder, { recursive: true, force: true })
}
