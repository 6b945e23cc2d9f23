import { Server } from '@modelcontextprotocol/sdk/server/index.js'
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

/** The tools of the marked servers. Each has the argument `mark`. */
export const TOOLS = [
  'say',
  'ask',
  'think',
  'look',
  'log',
  'progress',
  'touch',
  'program',
  'slow',
] as const

/** The schema of the arguments of each tool. */
export const INPUT = {
  type: 'object' as const,
  properties: { mark: { type: 'string' as const } },
  required: ['mark'],
}
/** The schema of the answer to a question. */
export const FORM = { type: 'object' as const, properties: { name: { type: 'string' as const } } }

/** Creates a server of MCP 2025-11-25 that sends its questions without saying which call they are about. */
export function createMarkedServer(): Server {
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
        case 'program':
          return say(`program ${process.pid} for ${mark}`)
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

/** Waits until the signal aborts. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
