#!/usr/bin/env node
// Counts how much MCP clients keep of the results of a server, and writes docs/fidelity.md: node tools/compare-fidelity.mjs
// The other clients are installed into a temporary folder.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { connectServer } from '../packages/mcp-bridge/src/connect-server.ts'
import { startProgram } from '../packages/local-executor/src/index.ts'
import { fidelityCorpus } from '../packages/mcp-bridge/src/testing/fidelity-corpus.support.ts'

const root = resolve(import.meta.dirname, '..')
const program = join(root, 'packages/mcp-bridge/src/testing/odd-server.support.ts')
const command = process.execPath
// Without the tools that make other clients refuse the complete list.
const args = [program, 'plain']
/** The same results through the bridge and its server, which also speaks MCP 2026-07-28. */
const served = [join(root, 'packages/mcp-bridge/src/testing/served-answers.support.ts')]
const STATELESS = '2026-07-28'
const OTHERS = [
  '@modelcontextprotocol/sdk',
  '@modelcontextprotocol/client',
  '@ai-sdk/mcp',
  '@langchain/mcp-adapters',
  '@langchain/core',
  '@langchain/langgraph',
  '@openai/agents',
  'zod',
]

const folder = mkdtempSync(join(tmpdir(), 'toolblocks-fidelity-'))
writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
execFileSync('npm', ['install', '--no-audit', '--no-fund', '--legacy-peer-deps', ...OTHERS], {
  cwd: folder,
  stdio: 'ignore',
})
const from = createRequire(join(folder, 'package.json'))
const load = async (name) => await import(pathToFileURL(from.resolve(name)).href)
const getVersion = (name) =>
  JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version

async function connectBridge(config) {
  const server = await connectServer({ name: 'odd', ...config }, {}, { startProgram })
  const tool = server.tools().find(({ name }) => name === 'odd__answer')
  const context = { signal: new AbortController().signal, root, answers: {} }
  return {
    call: async (values) =>
      await tool.execute({ id: 'c', name: tool.name, arguments: values }, context),
    close: async () => await server.close(),
  }
}

/** Clients by name. Each calls the tool `answer` of the server and returns its own form of the result. */
const clients = {
  '@toolblocks/mcp-bridge': async () =>
    await connectBridge({ transport: { kind: 'stdio', command, args } }),
  '@modelcontextprotocol/sdk': async () => {
    const { Client } = await load('@modelcontextprotocol/sdk/client/index.js')
    const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js')
    const client = new Client({ name: 'x', version: '1' })
    await client.connect(new StdioClientTransport({ command, args }))
    return {
      call: async (values) => await client.callTool({ name: 'answer', arguments: values }),
      close: async () => await client.close(),
    }
  },
  '@ai-sdk/mcp': async () => {
    const mcp = await load('@ai-sdk/mcp')
    const { Experimental_StdioMCPTransport } = await load('@ai-sdk/mcp/mcp-stdio')
    const create = mcp.createMCPClient ?? mcp.experimental_createMCPClient
    const client = await create({
      transport: new Experimental_StdioMCPTransport({ command, args }),
    })
    const tools = await client.tools({
      schemas: { answer: { inputSchema: (await load('zod')).z.any() } },
    })
    return {
      call: async (values) => await tools.answer.execute(values, { toolCallId: 'c', messages: [] }),
      close: async () => await client.close(),
    }
  },
  '@langchain/mcp-adapters': async () => {
    const { MultiServerMCPClient } = await load('@langchain/mcp-adapters')
    const client = new MultiServerMCPClient({
      mcpServers: { odd: { transport: 'stdio', command, args } },
      throwOnLoadError: false,
    })
    const tools = await client.getTools()
    const tool = tools.find(({ name }) => name === 'answer')
    return {
      call: async (values) => {
        const { content, artifact } = await tool.invoke({
          type: 'tool_call',
          id: 'c',
          name: 'answer',
          args: values,
        })
        return { content, artifact }
      },
      close: async () => await client.close(),
    }
  },
  '@openai/agents': async () => {
    const { MCPServerStdio } = await load('@openai/agents')
    const server = new MCPServerStdio({ command, args, name: 'odd' })
    await server.connect()
    return {
      call: async (values) => await server.callTool('answer', values),
      close: async () => await server.close(),
    }
  },
}

/** Clients of MCP 2026-07-28, with the bridge's own server. */
const statelessClients = {
  '@toolblocks/mcp-bridge': async () =>
    await connectBridge({
      protocolVersion: '2026-07-28',
      transport: { kind: 'stdio', command, args: served },
    }),
  '@modelcontextprotocol/client': async () => {
    const { Client } = await load('@modelcontextprotocol/client')
    const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio')
    const versionNegotiation = { mode: { pin: STATELESS } }
    const client = new Client({ name: 'x', version: '1' }, { versionNegotiation })
    await client.connect(new StdioClientTransport({ command, args: served }))
    return {
      call: async (values) => await client.callTool({ name: 'answer', arguments: values }),
      close: async () => await client.close(),
    }
  },
}

/** Returns every value of a result with the name of its field, as text. */
function* getLeaves(value, name = '') {
  if (Array.isArray(value)) for (const item of value) yield* getLeaves(item, name)
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) yield* getLeaves(item, key)
  else yield `${name}=${JSON.stringify(value)}`
}

/**
 * Whether every value of the result is somewhere in the received value, under its own name. A value that means the same as its absence does not
 * count.
 */
function keepsAll(result, came) {
  const leaves = new Set(getLeaves(came))
  return [...getLeaves(result)].every((leaf) => leaves.has(leaf) || leaf === 'isError=false')
}

/** Some clients never answer a result that they cannot read, so the call has a time limit. */
async function withinTime(call) {
  let timer
  const late = new Promise((settle) => {
    timer = setTimeout(settle, 1000)
  })
  const came = await Promise.race([call.catch(() => undefined), late])
  clearTimeout(timer)
  return came
}

const corpus = fidelityCorpus()
const wellFormed = corpus.filter(({ isWellFormed }) => isWellFormed).length
const rows = []
const runs = [
  ...Object.entries(clients).map(([name, connect]) => ({
    protocolVersion: '2025-11-25',
    name,
    connect,
  })),
  ...Object.entries(statelessClients).map(([name, connect]) => ({
    protocolVersion: STATELESS,
    name,
    connect,
  })),
]
for (const { protocolVersion, name, connect } of runs) {
  const score = { whole: 0, answered: 0 }
  let client
  console.error(protocolVersion, name)
  try {
    client = await connect()
    for (const { result, isWellFormed } of corpus) {
      const came = await withinTime(client.call({ result }))
      if (isWellFormed) {
        if (came !== undefined && keepsAll(result, came)) score.whole += 1
      } else {
        const isFine =
          !JSON.stringify(result)?.includes('"kept"') || JSON.stringify(came)?.includes('kept')
        if (came !== undefined && isFine) score.answered += 1
      }
    }
    const version = name.startsWith('@toolblocks') ? 'this repository' : getVersion(name)
    rows.push(
      `| ${protocolVersion} | \`${name}\` | ${version} | ${score.whole} | ${score.answered} |`,
    )
  } catch (error) {
    console.error(`${name}: ${error.stack ?? error}`)
  }
  await client?.close().catch(() => undefined)
}
rmSync(folder, { recursive: true })
console.log(rows.join('\n'))
// The part that tools/compare-model-requests.mjs wrote stays.
const page = readFileSync(join(root, 'docs/fidelity.md'), 'utf8')
const [, models = ''] = page.split('\n## What models receive')
writeFileSync(
  join(root, 'docs/fidelity.md'),
  `# Content that clients keep

A test server answers with ${corpus.length} results: every kind of block with annotations, \`_meta\` and unknown fields, and results that are malformed in the ways that
real servers were seen to use. Each client calls the same tool of the same program (\`packages/mcp-bridge/src/testing\`), and a script compares its result with the server's.

- **Complete**, of ${wellFormed}: well-formed results in which the client kept every value under its name.
- **Answered**, of ${corpus.length - wellFormed}: malformed results that the client did not refuse, and whose valid block beside the malformed one it kept.

In MCP ${STATELESS}, the clients reach the program through the bridge and its own server, because every client of that version supports this: a complete result was
read, served again, and read again. The server has repaired the malformed results before. \`node tools/compare-fidelity.mjs\` installs the other clients and writes this section.

| MCP | client | version | complete | answered |
| --- | ------ | ------- | ----: | -------: |
${rows.join('\n')}
${models === '' ? '' : `\n## What models receive${models}`}`,
)
process.exit()
