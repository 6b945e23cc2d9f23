import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

// oxlint-disable-next-line typescript/no-explicit-any -- whatever a server may say
type Json = Record<string, any>

/** What an endpoint does with a call: the first tool call after `initialize` receives it. */
export type Answer = (call: {
  id: number
  params: Json
  request: IncomingMessage
  response: ServerResponse
  say: (message: Json) => string
}) => void | Promise<void>

export interface OddEndpoint {
  url: string
  /** Methods in the order of their arrival: those of MCP, and of HTTP with the session. */
  methods: string[]
  /** Called with the method of each message of MCP before it is answered. Returns whether it answers the message itself, or leaves it without an answer. */
  onMethod?: ((method: string, response: ServerResponse) => boolean | undefined) | undefined
  /** Forgets every session. `refuse` answers requests of forgotten ones. Default: 404, with an error that has no id. */
  forget: (refuse?: (id: unknown) => { status: number; body: string }) => void
}

/** Starts a Streamable HTTP endpoint whose tools answer as the test says; closed with the test. */
export async function startEndpoint(
  tools: Record<string, Answer>,
  { sse = false, rest }: { sse?: boolean; rest?: (lastEventId: string) => Json } = {},
): Promise<OddEndpoint> {
  const methods: string[] = []
  let session = 1
  let refuseUnknown = (_id: unknown): { status: number; body: string } => ({
    status: 404,
    body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}',
  })
  const event = (message: Json): string =>
    `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`
  const json = (
    response: ServerResponse,
    message: Json,
    headers: Record<string, string> = {},
  ): void =>
    sse
      ? void response
          .writeHead(200, { 'content-type': 'text/event-stream', ...headers })
          .end(event(message))
      : void response
          .writeHead(200, { 'content-type': 'application/json', ...headers })
          .end(JSON.stringify({ jsonrpc: '2.0', ...message }))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { 'last-event-id': last, 'mcp-session-id': sessionId } = request.headers
    if (request.method !== 'POST') methods.push(`${request.method} of ${String(sessionId)}`)
    if (last !== undefined)
      return void (rest
        ? response
            .writeHead(200, { 'content-type': 'text/event-stream' })
            .end(event(rest(String(last))))
        : response.writeHead(500).end('nothing was kept'))
    if (request.method !== 'POST')
      return void response.writeHead(request.method === 'DELETE' ? 200 : 405).end()
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { id, method, params } = JSON.parse(body) as Json
    if (endpoint.onMethod?.(method, response) === true) return
    if (method === undefined) return void response.writeHead(202).end()
    methods.push(method)
    if (method === 'initialize')
      return json(
        response,
        {
          id,
          result: {
            protocolVersion: params.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 'odd', version: '1' },
          },
        },
        { 'mcp-session-id': `s${session}` },
      )
    if (request.headers['mcp-session-id'] !== `s${session}`) {
      const { status, body: refusal } = refuseUnknown(id)
      return void response.writeHead(status, { 'content-type': 'application/json' }).end(refusal)
    }
    if (id === undefined) return void response.writeHead(202).end()
    if (method === 'tools/list')
      return json(response, {
        id,
        result: {
          tools: ['echo', ...Object.keys(tools)].map((name) => ({
            name,
            inputSchema: { type: 'object' },
          })),
        },
      })
    const tool = tools[params.name]
    if (!tool)
      return json(response, {
        id,
        result: { content: [{ type: 'text', text: JSON.stringify(params.arguments) }] },
      })
    await tool({ id, params, request, response, say: event })
  }

  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const endpoint: OddEndpoint = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    methods,
    forget: (refuse = refuseUnknown) => {
      refuseUnknown = refuse
      session += 1
    },
  }
  return endpoint
}
