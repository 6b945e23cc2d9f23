// Compares tools of this SDK with the same tools of others: packs and installs each into a temporary folder, type-checks them, calls them, and
// prints the results, for docs/compared.md: node tools/compare-tool-sdks.mjs [rounds]. Build first: pnpm build.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROUNDS = Number(process.argv[2] ?? 15)
const root = resolve(import.meta.dirname, '..')
const work = mkdtempSync(join(tmpdir(), 'toolblocks-compare-'))
const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const { version } = JSON.parse(readFileSync(join(root, 'packages/tool-sdk/package.json'), 'utf8'))
const OWN = ['protocol', 'tool-sdk', 'mcp-bridge', 'parser', 'schema-check', 'media-type']
const SERVERS = {
  toolblocks: [],
  'mcp-v1': ['@modelcontextprotocol/sdk@1.32.2', 'zod@4.6.7'],
  'mcp-v2': ['@modelcontextprotocol/server@2.4.0', 'zod@4.6.7'],
  fastmcp: ['fastmcp@4.20.16', 'zod@4.6.7'],
}
const LIBRARIES = {
  'ai-sdk': ['ai@7.0.173', 'zod@4.6.7'],
  mastra: ['@mastra/core@1.71.0', 'zod@4.6.7'],
}

/** Mistakes of an author: each is one change of the source. */
const MISTAKES = {
  'argument used as another type': ['count - reserve', 'count - reserve.length'],
  'output of another type': ['free: count - reserve', 'free: String(count - reserve)'],
  'output with a missing field': [', free: count - reserve', ''],
  'output with an unknown field': ['free: count - reserve', 'free: count - reserve, extra: 1'],
  'misspelt outputSchema': ['outputSchema:', 'outputShema:'],
  'misspelt description': ['description:', 'descripton:'],
  'misspelt inputSchema': [/(inputSchema|parameters):/, 'inputSchemas:'],
}
const CALLS = {
  'valid arguments': ['count_stock', { article: 'lamp' }],
  'argument of another type': ['count_stock', { article: 5 }],
  'missing argument': ['count_stock', {}],
  'misspelt argument': ['count_stock', { article: 'lamp', reserv: 2 }],
  'failure that the tool expects': ['count_stock', { article: 'x' }],
  'thrown error': ['count_stock', { article: 'lamp', reserve: 91 }],
  picture: ['show_dot', {}],
  question: ['remove_article', { article: 'lamp' }],
}

function install(name, packages) {
  const folder = join(work, name)
  mkdirSync(folder)
  const files = name === 'toolblocks' ? packOwn() : {}
  const manifest = { private: true, type: 'module', dependencies: files, overrides: files }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', ...packages], {
    cwd: folder,
  })
  const modules = join(folder, 'node_modules')
  const entries = readdirSync(modules, { recursive: true, withFileTypes: true })
  const isPackage = /node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\.@][^/\\]*$/
  const count = entries.filter(
    (entry) => entry.name === 'package.json' && isPackage.test(entry.parentPath),
  ).length
  const bytes = Number(execFileSync('du', ['-sb', modules], { encoding: 'utf8' }).split('\t')[0])
  console.log(`${name}: ${count} packages, ${(bytes / 1e6).toFixed(1)} MB`)
  mkdirSync(join(modules, '@types'), { recursive: true })
  rmSync(join(modules, '@types/node'), { recursive: true, force: true })
  symlinkSync(join(root, 'node_modules/@types/node'), join(modules, '@types/node'))
  return folder
}

function packOwn() {
  return Object.fromEntries(
    OWN.map((name) => {
      const cwd = join(root, 'packages', name)
      execFileSync('pnpm', ['pack', '--pack-destination', work], { cwd, stdio: 'ignore' })
      return [`@toolblocks/${name}`, `file:${join(work, `toolblocks-${name}-${version}.tgz`)}`]
    }),
  )
}

function check(folder, files) {
  const compilerOptions = {
    target: 'ES2024',
    lib: ['ES2024'],
    module: 'NodeNext',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const { stdout } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false'],
    { encoding: 'utf8', cwd: folder },
  )
  return stdout
}

const shorten = (value) => JSON.stringify(value).replaceAll(DOT, '(DOT)').slice(0, 700)
const env = { ...process.env, DOT }

/** Connects a client to a server, with the answers that the client supports. */
async function connect(client, file, elicits) {
  const { Client, StdioClientTransport, ElicitRequestSchema } = client
  const capabilities = elicits ? { elicitation: {} } : {}
  const connected = new Client({ name: 'compare', version: '1' }, { capabilities })
  if (elicits)
    connected.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      console.log(`    asked: ${shorten(params)}`)
      const [name] = Object.keys(params.requestedSchema.properties)
      return { action: 'accept', content: { [name]: true } }
    })
  await connected.connect(
    new StdioClientTransport({ command: process.execPath, args: [file], env, stderr: 'ignore' }),
  )
  return connected
}

async function tryCall(call) {
  try {
    return shorten(await call())
  } catch (error) {
    return `thrown: ${String(error).slice(0, 700)}`
  }
}

async function callServer(client, folder) {
  for (const elicits of [true, false]) {
    const server = await connect(client, join(folder, 'tool.ts'), elicits)
    const calls = Object.entries(CALLS).filter(([what]) => elicits || what === 'question')
    for (const [what, [name, values]] of calls)
      console.log(
        `  ${what}${elicits ? '' : ', to a client without elicitation'}: ${await tryCall(() => server.callTool({ name, arguments: values }))}`,
      )
    await server.close()
  }
}

async function callLibrary(folder, name, file) {
  const { tools } = await import(pathToFileURL(join(folder, file)).href)
  const from = createRequire(join(folder, 'package.json'))
  const load = async (path) => await import(pathToFileURL(from.resolve(path)).href)
  for (const [what, [toolName, values]] of Object.entries(CALLS)) {
    if (file !== 'tool.ts' && what !== 'valid arguments') continue
    const call =
      name === 'ai-sdk'
        ? () => callAiSdk(load, tools, toolName, values)
        : () => callMastra(tools[toolName], values)
    console.log(`  ${what}: ${await tryCall(call)}`)
  }
}

/** The response of a model of the AI SDK. */
const finish = (content, unified) => ({
  content,
  finishReason: { unified, raw: unified },
  usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
  warnings: [],
})

/** Returns what the AI SDK sends to a model after a call. The model is a function. */
async function callAiSdk(load, tools, toolName, values) {
  const [{ generateText, isStepCount, stepCountIs }, test] = [
    await load('ai'),
    await load('ai/test'),
  ]
  const Model = test.MockLanguageModelV4 ?? test.MockLanguageModelV3
  const prompts = []
  const model = new Model({
    doGenerate: async ({ prompt }) => {
      prompts.push(prompt)
      if (prompts.length > 1) return finish([{ type: 'text', text: 'done' }], 'stop')
      return finish(
        [{ type: 'tool-call', toolCallId: 'c', toolName, input: JSON.stringify(values) }],
        'tool-calls',
      )
    },
  })
  const { content } = await generateText({
    model,
    tools,
    prompt: 'go',
    stopWhen: (isStepCount ?? stepCountIs)(2),
  })
  const [, second] = prompts
  return second ? second.filter(({ role }) => role === 'tool') : { notSent: content }
}

async function callMastra(tool, values) {
  const outcome = {}
  const result = await tool.execute(values, {
    agent: { suspend: async (asked) => void (outcome.suspended = asked) },
  })
  if (outcome.suspended) return outcome
  const modelOutput = await tool.toModelOutput?.(result)
  return modelOutput ? { result, shown: modelOutput } : result
}

/** Measures the shortest of several starts, until the tools are known; the programs run in turn. */
function measureStarts(folders) {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    },
  }
  const lines = [
    initialize,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/list' },
  ]
  const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  writeFileSync(join(work, 'measure.mjs'), MEASURE)
  writeFileSync(join(work, 'bare.mjs'), '')
  const best = { 'bare Node.js': Infinity }
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now()
    execFileSync(process.execPath, [join(work, 'bare.mjs')])
    best['bare Node.js'] = Math.min(best['bare Node.js'], performance.now() - start)
    for (const [name, folder] of Object.entries(folders)) {
      const kind = name in SERVERS ? input : ''
      const ms = Number(
        execFileSync(process.execPath, [join(work, 'measure.mjs'), join(folder, 'tool.ts'), kind], {
          encoding: 'utf8',
          env,
        }),
      )
      best[name] = Math.min(best[name] ?? Infinity, ms)
    }
  }
  return best
}

const MEASURE = `
import { spawn } from 'node:child_process'
const [file, input] = process.argv.slice(2)
const start = performance.now()
const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'ignore'] })
let out = ''
const done = () => { console.log(performance.now() - start); child.kill('SIGKILL'); process.exit() }
if (input) child.stdout.on('data', (data) => { out += data; if (/"id":2\\b/.test(out)) done() })
else child.on('exit', done)
child.stdin.write(input)
if (!input) child.stdin.end()
`

try {
  const folders = {}
  for (const [name, packages] of Object.entries({ ...SERVERS, ...LIBRARIES }))
    folders[name] = install(name, packages)
  const from = createRequire(join(folders['mcp-v1'], 'package.json'))
  const load = async (path) =>
    await import(pathToFileURL(from.resolve(`@modelcontextprotocol/sdk/${path}`)).href)
  const client = {
    ...(await load('client/index.js')),
    ...(await load('client/stdio.js')),
    ...(await load('types.js')),
  }
  process.env.DOT = DOT
  for (const [name, folder] of Object.entries(folders)) {
    const source = readFileSync(join(root, 'tools/compare-tool-sdks', `${name}.ts`), 'utf8')
    writeFileSync(join(folder, 'tool.ts'), source)
    const lines = source.split('\n').filter((line) => line.trim() !== '').length
    console.log(
      `\n${name}: ${lines} lines; type check: ${check(folder, ['tool.ts']) || 'no error'}`,
    )
    if (name in SERVERS) await callServer(client, folder)
    else await callLibrary(folder, name, 'tool.ts')
    for (const [index, [what, change]] of Object.entries(MISTAKES).entries()) {
      const file = `mistake-${index}.ts`
      const changed = source.replace(...change)
      if (changed === source) throw new Error(`${name}: ${what} changes nothing`)
      writeFileSync(join(folder, file), changed)
      console.log(`  ${what}`)
      console.log(
        `    compiler: ${check(folder, [file]).split('\n')[0].slice(0, 400) || 'no error'}`,
      )
      if (name in SERVERS) {
        const started = await connect(client, join(folder, file), true).catch((error) =>
          String(error),
        )
        const { stderr } =
          typeof started === 'string'
            ? spawnSync(process.execPath, [join(folder, file)], {
                input: '',
                encoding: 'utf8',
                env,
              })
            : {}
        if (typeof started === 'string')
          console.log(`    does not start: ${/^\w*Error.*$/m.exec(stderr ?? '')?.[0] ?? started}`)
        else {
          console.log(
            `    runs: ${await tryCall(() => started.callTool({ name: 'count_stock', arguments: { article: 'lamp' } }))}`,
          )
          await started.close()
        }
      } else await callLibrary(folder, name, file).catch((error) => console.log(`    ${error}`))
    }
  }
  console.log('\nstart, shortest of', ROUNDS, measureStarts(folders))
} finally {
  rmSync(work, { recursive: true, force: true })
}
