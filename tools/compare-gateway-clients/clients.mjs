// Prints what each client library does with a server, directly, through the gateway, and through three replicas of it over HTTP. It runs in a folder in which they are installed: see ../compare-gateway-clients.mjs
import { Client as Legacy } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  Client as Later,
  StreamableHTTPClientTransport as LaterHttp,
} from '@modelcontextprotocol/client'
import { StdioClientTransport as LaterStdio } from '@modelcontextprotocol/client/stdio'
const env = { ...process.env }
/** The transport of an SDK for a program or an address. */
const open = (Stdio, Http) => (entry) =>
  'url' in entry
    ? new Http(new URL(entry.url), { requestInit: { headers: entry.headers } })
    : new Stdio({ ...entry, env, stderr: 'ignore' })
const openLegacy = open(LegacyStdio, LegacyHttp)
const openLater = open(LaterStdio, LaterHttp)
const sdk = (client, transport) => async (entry) => {
  await client.connect(transport(entry))
  return {
    tools: async () => (await client.listTools()).tools.map((t) => t.name),
    call: async (name, args) => await client.callTool({ name, arguments: args }),
    prompts: async () => (await client.listPrompts()).prompts.map((p) => p.name),
    prompt: async (name, args) => await client.getPrompt({ name, arguments: args }),
    resources: async () => (await client.listResources()).resources.map((r) => r.uri),
    read: async (uri) => await client.readResource({ uri }),
    close: async () => await client.close(),
  }
}
/** Connects each client to a program or an address, and returns what it can do. */
const CLIENTS = {
  '@modelcontextprotocol/sdk': async (e) =>
    await sdk(new Legacy({ name: 'c', version: '1' }), openLegacy)(e),
  '@modelcontextprotocol/client (2025-11-25)': async (e) =>
    await sdk(new Later({ name: 'c', version: '1' }), openLater)(e),
  '@modelcontextprotocol/client (2026-07-28)': async (e) =>
    await sdk(
      new Later(
        { name: 'c', version: '1' },
        { versionNegotiation: { mode: { pin: '2026-07-28' } } },
      ),
      openLater,
    )(e),
  '@ai-sdk/mcp': async (e) => {
    const { experimental_createMCPClient, createMCPClient } = await import('@ai-sdk/mcp')
    const { Experimental_StdioMCPTransport } = await import('@ai-sdk/mcp/mcp-stdio')
    const c = await (createMCPClient ?? experimental_createMCPClient)({
      transport:
        'url' in e
          ? { type: 'http', ...e }
          : new Experimental_StdioMCPTransport({ ...e, env, stderr: 'ignore' }),
    })
    const tools = await c.tools()
    return {
      tools: async () => Object.keys(tools),
      call: async (n, a) => await tools[n].execute(a, { toolCallId: '1', messages: [] }),
      prompts: async () =>
        (await (c.listPrompts ?? c.experimental_listPrompts).call(c)).prompts.map((p) => p.name),
      prompt: async (name, args) =>
        await (c.getPrompt ?? c.experimental_getPrompt).call(c, { name, arguments: args }),
      resources: async () => (await c.listResources()).resources.map((r) => r.uri),
      read: async (uri) => await c.readResource({ uri }),
      close: async () => await c.close(),
    }
  },
  '@langchain/mcp-adapters': async (e) => {
    const { MultiServerMCPClient } = await import('@langchain/mcp-adapters')
    const c = new MultiServerMCPClient({
      mcpServers: {
        s: 'url' in e ? { transport: 'http', ...e } : { transport: 'stdio', ...e, env },
      },
    })
    const tools = await c.getTools()
    return {
      tools: async () => tools.map((t) => t.name),
      call: async (n, a) =>
        await tools
          .find((t) => t.name === n)
          .invoke({ type: 'tool_call', id: '1', name: n, args: a }),
      resources:
        c.listResources &&
        (async () =>
          Object.values(await c.listResources())
            .flat()
            .map((r) => r.uri)),
      read: c.readResource && (async (uri) => await c.readResource('s', uri)),
      close: async () => await c.close(),
    }
  },
  'mcp-use': async (e) => {
    const { MCPClient } = await import('mcp-use')
    const c = new MCPClient({ mcpServers: { s: 'url' in e ? e : { ...e, env } } })
    const s = await c.createSession('s')
    return {
      tools: async () => (await s.listTools()).map((t) => t.name),
      call: async (n, a) => await s.callTool(n, a),
      prompts: async () => (await s.connector.listPrompts()).prompts.map((p) => p.name),
      prompt: async (n, a) => await s.connector.getPrompt(n, a),
      resources: async () => (await s.connector.listAllResources()).resources.map((r) => r.uri),
      read: async (u) => await s.connector.readResource(u),
      close: async () => await c.closeAllSessions(),
    }
  },
  '@mastra/mcp': async (e) => {
    const { MCPClient } = await import('@mastra/mcp')
    const c = new MCPClient({
      id: String(Math.random()),
      servers: {
        s:
          'url' in e ? { url: new URL(e.url), requestInit: { headers: e.headers } } : { ...e, env },
      },
    })
    const tools = await (c.listTools ?? c.getTools).call(c)
    return {
      tools: async () => Object.keys(tools).map((k) => k.replace(/^s_/, '')),
      call: async (n, a) => await tools['s_' + n].execute({ ...a, context: a }, {}),
      prompts: async () => (await c.prompts.list()).s.map((p) => p.name),
      prompt: async (name, args) => await c.prompts.get({ serverName: 's', name, args }),
      resources: async () => (await c.resources.list()).s.map((r) => r.uri),
      read: async (u) => await c.resources.read('s', u),
      close: async () => await c.disconnect(),
    }
  },
  '@openai/agents': async (e) => {
    const { MCPServerStdio, MCPServerStreamableHttp } = await import('@openai/agents')
    const s =
      'url' in e
        ? new MCPServerStreamableHttp({
            url: e.url,
            requestInit: { headers: e.headers },
            name: 's',
          })
        : new MCPServerStdio({ ...e, env, name: 's' })
    await s.connect()
    return {
      tools: async () => (await s.listTools()).map((t) => t.name),
      call: async (n, a) => await s.callTool(n, a),
      close: async () => await s.close(),
      resources:
        s.listResources && (async () => (await s.listResources()).resources.map((r) => r.uri)),
      read: s.readResource && (async (u) => await s.readResource(u)),
    }
  },
  mcporter: async (e) => {
    const { createRuntime } = await import('mcporter')
    const r = await createRuntime({
      servers: [
        {
          name: 's',
          command:
            'url' in e
              ? { kind: 'http', url: new URL(e.url), headers: e.headers }
              : { kind: 'stdio', command: e.command, args: e.args, cwd: process.cwd() },
          env,
        },
      ],
    })
    return {
      tools: async () => (await r.listTools('s')).map((t) => t.name),
      call: async (n, a) => await r.callTool('s', n, { args: a }),
      resources: async () => (await r.listResources('s')).resources.map((x) => x.uri),
      close: async () => await r.close(),
    }
  },
  '@genkit-ai/mcp': async (e) => {
    const { createMcpClient } = await import('@genkit-ai/mcp')
    const { genkit } = await import('genkit')
    const ai = genkit({})
    const c = createMcpClient({
      name: 's',
      mcpServer: 'url' in e ? { url: e.url, requestInit: { headers: e.headers } } : { ...e, env },
    })
    await c.ready()
    const tools = await c.getActiveTools(ai)
    return {
      tools: async () => tools.map((t) => t['__action'].name.split('/').at(-1)),
      call: async (n, a) => await tools.find((t) => t['__action'].name.endsWith('/' + n))(a),
      prompts: async () => (await c.getActivePrompts(ai)).map((p) => p.ref?.name ?? 'p'),
      resources: async () =>
        (await c.getActiveResources(ai)).map(
          (r) => r['__action'].metadata?.resource?.uri ?? r['__action'].name,
        ),
      close: async () => await c.disable(),
    }
  },
  '@llamaindex/tools': async (e) => {
    const { mcp } = await import('@llamaindex/tools')
    const s = mcp(
      'url' in e
        ? { url: e.url, requestInit: { headers: e.headers }, verbose: false }
        : { ...e, env, verbose: false },
    )
    const tools = await s.tools()
    return {
      tools: async () => tools.map((t) => t.metadata.name),
      call: async (n, a) => await tools.find((t) => t.metadata.name === n).call(a),
      close: async () => await s.cleanup(),
    }
  },
  '@strands-agents/sdk': async (e) => {
    const { McpClient } = await import('@strands-agents/sdk')
    const c = new McpClient({ transport: openLegacy(e) })
    const tools = await c.listTools()
    return {
      tools: async () => tools.map((t) => t.name),
      call: async (n, a) =>
        await c.callTool(
          tools.find((t) => t.name === n),
          a,
        ),
      close: async () => await c.disconnect(),
    }
  },
}

/** Milliseconds of one step. */
const LIMIT_MS = 20_000

/** Returns the value of a step, or the beginning of its error. */
async function attempt(work) {
  const late = new Promise((_, fail) => setTimeout(() => fail(new Error('no answer')), LIMIT_MS))
  try {
    return await Promise.race([work(), late])
  } catch (error) {
    return `failed: ${String(error?.message ?? error).slice(0, 60)}`
  }
}

const FAILED = /^"?failed: /

/** `yes`, `–` if the client has no such function, or what came instead. */
function judge(value, isRight) {
  const text = JSON.stringify(value) ?? ''
  return !FAILED.test(text) && isRight(text) ? 'yes' : text.slice(0, 80)
}

const isList = (text) => text.startsWith('[') && text !== '[]'

/** Uses every feature of a server. */
async function useFeatures(connect, entry, { call, says, picture, prompt }) {
  const client = await attempt(() => connect(entry))
  if (typeof client === 'string') return { connect: client }
  const features = {}
  const use = async (feature, name, args, isRight) => {
    features[feature] = client[name]
      ? judge(await attempt(() => client[name](...args)), isRight)
      : '–'
  }
  await use('tools', 'tools', [], (text) => text.includes(call[0]))
  await use('call', 'call', call, (text) => text.includes(says))
  await use('picture', 'call', picture, (text) => text.includes('iVBOR'))
  await use('prompts', 'prompts', [], isList)
  await use('prompt', 'prompt', prompt, (text) => text.includes('messages'))
  await use('resources', 'resources', [], isList)
  const [uri] = client.read ? ((await attempt(() => client.resources())) ?? []) : []
  await use('read', 'read', [uri], (text) => /"(?:text|blob|contents)"/.test(text))
  await attempt(() => client.close())
  return features
}

/** Returns which texts of mixed results a client does not receive. */
async function findWrong(connect, entry, { mixed }) {
  const client = await attempt(() => connect(entry))
  if (typeof client === 'string') return [client]
  const wrong = []
  for (const { tool, says } of mixed) {
    // Some libraries throw the result of a tool that failed.
    const call = async () =>
      await client.call(tool, {}).catch((error) => String(error?.message ?? error))
    const text = JSON.stringify(await attempt(call)) ?? ''
    wrong.push(...Object.keys(says).filter((what) => !text.includes(says[what])))
  }
  await attempt(() => client.close())
  return wrong
}

const { servers } = JSON.parse(process.argv[2])
for (const [name, connect] of Object.entries(CLIENTS))
  for (const { version, ways, ...server } of servers)
    for (const [way, entry] of Object.entries(ways)) {
      if (server.mixed) {
        const wrong = await findWrong(connect, entry, server)
        process.stdout.write(`${JSON.stringify({ name, version, way, wrong })}\n`)
        continue
      }
      const features = await useFeatures(connect, entry, server)
      process.stdout.write(`${JSON.stringify({ name, version, way, features })}\n`)
    }
process.exit()
