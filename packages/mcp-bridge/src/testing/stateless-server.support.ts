// A server of MCP 2026-07-28, made with its SDK. Started by tests: node stateless-server.support.ts [reject], which refuses earlier versions
import { inputRequired, Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

export function createStatelessServer(): Server {
  const server = new Server(
    { name: 'stateless', version: '1', title: 'Stateless' },
    { capabilities: { tools: {}, resources: {} }, instructions: 'Use no session.' },
  )
  server.setRequestHandler('tools/list', async () => ({
    ttlMs: 0,
    cacheScope: 'private',
    tools: ['echo', 'ask'].map((name) => ({ name, inputSchema: { type: 'object' as const } })),
  }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    if (params.name === 'echo')
      return {
        content: [{ type: 'text', text: JSON.stringify(params.arguments) }],
        structuredContent: [1, null] as never,
        _meta: { 'a.b/c': 1 },
      }
    const { inputResponses } = mcpReq
    if (inputResponses === undefined)
      return inputRequired({
        inputRequests: {
          who: inputRequired.elicit({
            message: 'Who?',
            requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
          }),
        },
        requestState: 'sealed',
      })
    return {
      content: [
        {
          type: 'text',
          text: JSON.stringify([
            inputResponses,
            typeof mcpReq.requestState === 'function' ? mcpReq.requestState() : mcpReq.requestState,
          ]),
        },
      ],
    }
  })
  server.setRequestHandler('resources/read', async ({ params }) => ({
    ttlMs: 0,
    cacheScope: 'private',
    contents: [{ uri: params.uri, text: 'read' }],
  }))
  return server
}

if (process.argv[1] === import.meta.filename) {
  const legacy = process.argv[2] === 'reject' ? 'reject' : 'serve'
  serveStdio(() => createStatelessServer(), { legacy })
}
