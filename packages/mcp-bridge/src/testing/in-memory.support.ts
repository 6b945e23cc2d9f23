import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema,
  type JSONRPCMessage,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { Tool } from '@toolblocks/protocol'
import { type CallableServer, callTool } from '../client/call-tool.ts'
import { type Connection, keepConnection } from '../client/keep-connection.ts'
import { trackCalls } from '../client/running-calls.ts'
import { openSession } from '../client/open-session.ts'
import { listTools } from '../client/list-tools.ts'
import { makeTools } from '../client/make-tools.ts'
import { readMessages } from '../wire/message.ts'
import type { Wire } from '../wire/peer.ts'

/** Starts a server in this process with the tool `images`, and returns the client's end of the transport. */
async function startServer(): Promise<InMemoryTransport> {
  const server = new Server({ name: 'images', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: [{ name: 'images', inputSchema: { type: 'object' as const } }],
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const count = Number(params.arguments?.['count'])
    const data = Buffer.alloc(Number(params.arguments?.['bytes']), 7).toString('base64')
    return {
      content: Array.from({ length: count }, () => ({
        type: 'image',
        data,
        mimeType: 'image/png',
      })),
    }
  })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await server.connect(theirs)
  return ours
}

/** Connects the SDK's own client to a server in this process. */
export async function connectBare(): Promise<Client> {
  const client = new Client({ name: 'bare', version: '1' })
  await client.connect(await startServer())
  return client
}

/** Returns a transport of the SDK as a wire. */
function wireOver(transport: Transport): Wire {
  return {
    start: ({ onMessage }) => {
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK knows callbacks only
      transport.onmessage = (received) => {
        for (const message of readMessages(received)) onMessage(message)
      }
      void transport.start()
    },
    send: async (message) => await transport.send(message as JSONRPCMessage),
    close: async () => await transport.close(),
  }
}

/** Connects the bridge to its own server in this process and returns the tool `images`. */
export async function connectBridge(): Promise<Tool> {
  const asking = { server: 'memory', calls: trackCalls(), hooks: {} }
  const open = async (signal: AbortSignal): Promise<Connection> => {
    const wire = wireOver(await startServer())
    const listener = { onNotification: () => undefined }
    return await openSession({ ...asking, wire, asking, listener, signal })
  }
  const { signal } = new AbortController()
  const first = await open(signal)
  const kept = keepConnection(first, open, {
    onStateChange: () => undefined,
    onReopened: () => undefined,
  })
  const server: CallableServer = {
    ...asking,
    kept,
    timeoutMs: 120_000,
    trusted: false,
    onLinks: async (result) => result,
  }
  const { definitions } = await listTools(first, signal)
  const { tools } = makeTools(definitions, {
    server: 'memory',
    settings: {},
    toolNames: 'prefixed',
    call: (definition, use) => callTool(definition, server, use),
  })
  const [tool] = tools
  if (!tool) throw new Error('the server in memory has no tool')
  return tool
}
