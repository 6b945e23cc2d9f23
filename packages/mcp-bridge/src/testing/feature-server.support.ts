// A server of MCP 2026-07-28 with every feature, made with its SDK. Started by tests: node feature-server.support.ts
import { inputRequired, Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const LISTED = { ttlMs: 60_000, cacheScope: 'private' } as const

/** Creates the server. A prompt asks its client for roots, a model and a form. */
export function createFeatureServer(): Server {
  const server = new Server(
    { name: 'features', version: '2', title: 'Features', websiteUrl: 'https://example.com/' },
    {
      capabilities: {
        tools: {},
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        completions: {},
      },
      instructions: 'Use all features.',
    },
  )
  server.setRequestHandler('tools/list', async () => ({
    ...LISTED,
    tools: ['say', 'picture', 'touch'].map((name) => ({
      name,
      inputSchema: { type: 'object' as const },
    })),
  }))
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: values } }) => {
    if (name === 'touch') {
      await server.sendResourceUpdated({ uri: 'note:a' })
      await server.sendPromptListChanged()
    }
    return {
      content:
        name === 'picture'
          ? [{ type: 'image', data: PIXEL, mimeType: 'image/png' }]
          : [{ type: 'text', text: JSON.stringify(values) }],
    }
  })
  server.setRequestHandler('prompts/list', async () => ({
    ...LISTED,
    prompts: [
      { name: 'greet', title: 'Greet', arguments: [{ name: 'who', required: true }] },
      { name: 'plain' },
    ],
  }))
  server.setRequestHandler('prompts/get', async ({ params }, { mcpReq }) => {
    const { inputResponses } = mcpReq
    if (params.name === 'greet' && inputResponses === undefined)
      return inputRequired({
        inputRequests: {
          form: inputRequired.elicit({
            message: 'How?',
            requestedSchema: { type: 'object', properties: { tone: { type: 'string' } } },
          }),
          folders: inputRequired.listRoots(),
          text: inputRequired.createMessage({
            messages: [{ role: 'user', content: { type: 'text', text: 'Hi.' } }],
            maxTokens: 10,
          }),
        },
        requestState: 'sealed',
      })
    const text = JSON.stringify([params.arguments, inputResponses])
    return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
  })
  server.setRequestHandler('resources/list', async () => ({
    ...LISTED,
    resources: [{ uri: 'note:a', name: 'a', mimeType: 'text/plain', size: 3 }],
  }))
  server.setRequestHandler('resources/templates/list', async () => ({
    ...LISTED,
    resourceTemplates: [{ uriTemplate: 'note:{name}', name: 'note' }],
  }))
  server.setRequestHandler('resources/read', async ({ params }) => ({
    ...LISTED,
    contents: [{ uri: params.uri, text: 'abc', _meta: { 'a.b/c': 1 } }],
  }))
  server.setRequestHandler('completion/complete', async ({ params }) => ({
    completion: { values: [`${params.argument.value}!`], total: 1, hasMore: false },
  }))
  return server
}

if (process.argv[1] === import.meta.filename) serveStdio(() => createFeatureServer())
