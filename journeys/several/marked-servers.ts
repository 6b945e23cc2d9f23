import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { serveHttp } from '@toolblocks/mcp-bridge/server'
import { createSuccessResult } from '@toolblocks/protocol'
import { listen } from '../stage/listen.ts'

/** A server whose every message contains the mark of the client that it is about. */
export interface MarkedServer {
  url: string
  close(): Promise<void>
}

/** The tools of both servers. Each has the argument `mark`. */
export const TOOLS = ['say', 'ask', 'think', 'look', 'log', 'progress', 'touch', 'slow'] as const

const INPUT = {
  type: 'object' as const,
  properties: { mark: { type: 'string' as const } },
  required: ['mark'],
}
const FORM = { type: 'object' as const, properties: { name: { type: 'string' as const } } }

/** Starts a server of MCP 2025-11-25, made with the official SDK, with a session for each connection. */
export async function startSessionServer(): Promise<MarkedServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>()

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const known = sessions.get(String(request.headers['mcp-session-id']))
    if (known) return await known.handleRequest(request, response)
    if (request.headers['mcp-session-id'] !== undefined)
      return void response.writeHead(404).end('unknown session')
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    })
    await createMarkedServer().connect(transport)
    await transport.handleRequest(request, response)
  }

  const http = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  return {
    url: `${await listen(http)}/mcp`,
    close: async () =>
      void (await Promise.all([...sessions.values()].map(async (each) => await each.close()))),
  }
}

function createMarkedServer(): Server {
  const server = new Server(
    { name: 'marked', version: '1' },
    {
      capabilities: {
        tools: {},
        logging: {},
        prompts: {},
        resources: { subscribe: true },
        completions: {},
      },
    },
  )
  const say = (text: string) => ({ content: [{ type: 'text' as const, text }] })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: TOOLS.map((name) => ({ name, inputSchema: INPUT })),
  }))
  server.setRequestHandler(SetLevelRequestSchema, () => ({}))
  server.setRequestHandler(SubscribeRequestSchema, () => ({}))
  server.setRequestHandler(UnsubscribeRequestSchema, () => ({}))
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: [{ name: 'greet', arguments: [{ name: 'mark' }] }],
  }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => ({
    messages: [
      { role: 'user', content: { type: 'text', text: `prompt of ${params.arguments?.['mark']}` } },
    ],
  }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ name: 'note', uriTemplate: 'note:{mark}' }],
  }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => ({
    contents: [{ uri, text: `content of ${uri}` }],
  }))
  server.setRequestHandler(CompleteRequestSchema, ({ params }) => ({
    completion: { values: [`completion of ${params.argument.value}`] },
  }))
  server.setRequestHandler(
    CallToolRequestSchema,
    async ({ params }, { signal, sendNotification }) => {
      const mark = String(params.arguments?.['mark'])
      switch (params.name) {
        case 'ask': {
          const asked = { message: `question of ${mark}`, requestedSchema: FORM }
          return say(`answer ${JSON.stringify((await server.elicitInput(asked)).content)}`)
        }
        case 'think': {
          const content = { type: 'text' as const, text: `thought of ${mark}` }
          const messages = [{ role: 'user' as const, content }]
          return say(
            JSON.stringify((await server.createMessage({ messages, maxTokens: 9 })).content),
          )
        }
        case 'look':
          return say(JSON.stringify((await server.listRoots()).roots))
        case 'log':
          await server.sendLoggingMessage({ level: 'error', data: `log of ${mark}` })
          return say(`logged ${mark}`)
        case 'progress': {
          const progressToken = params._meta?.progressToken
          if (progressToken !== undefined)
            await sendNotification({
              method: 'notifications/progress',
              params: { progressToken, progress: 1, message: `progress of ${mark}` },
            })
          return say(`done ${mark}`)
        }
        case 'touch':
          await server.sendResourceUpdated({ uri: `note:${mark}` })
          return say(`touched ${mark}`)
        case 'slow':
          await untilAborted(signal)
          return say(`cancelled ${mark}`)
        default:
          return say(`said ${mark}`)
      }
    },
  )
  return server
}

/** Starts a server of both versions, which the gateway reaches with MCP 2026-07-28: its connection is shared by all clients. */
export async function startSharedServer(): Promise<MarkedServer> {
  const served = await serveHttp(
    {
      name: 'shared',
      version: '1',
      root: '/',
      definitions: () =>
        (['say', 'ask', 'progress', 'slow'] as const).map((name) => ({ name, inputSchema: INPUT })),
      callTool: async (call, { ask, onProgress, signal }) => {
        const {
          name,
          arguments: { mark },
        } = call
        const say = (text: string) => createSuccessResult([{ type: 'text', text }])
        switch (name) {
          case 'ask': {
            const request = { id: 'name', text: `question of ${String(mark)}`, schema: FORM }
            const source = { kind: 'question', call } as const
            const answer = await ask?.user?.(request, { blocks: [], source, signal })
            return say(`answer ${JSON.stringify(answer)}`)
          }
          case 'progress':
            onProgress?.({ progress: 1, message: `progress of ${String(mark)}` })
            return say(`done ${String(mark)}`)
          case 'slow':
            await untilAborted(signal)
            return say(`cancelled ${String(mark)}`)
          default:
            return say(`said ${String(mark)}`)
        }
      },
    },
    { port: 0, token: SHARED_TOKEN },
  )
  return {
    url: served.url,
    close: async () => await served.close({ graceMs: 0 }),
  }
}

/** The token of the shared server. The other one takes any. */
export const SHARED_TOKEN = 'token-of-the-shared-server-0123456789'

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
