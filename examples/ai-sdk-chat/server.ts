import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { createQuestions, toAiSdkTools, type ToolblocksUIMessage } from '@toolblocks/ai-sdk'
import { openStore } from '@toolblocks/conversation-store'
import { harbourTools } from '@toolblocks/example-harbour-tools'
import { createToolExecutor } from '@toolblocks/tool-executor'
import {
  APICallError,
  convertToModelMessages,
  createUIMessageStream,
  createUIMessageStreamResponse,
  isStepCount,
  RetryError,
  streamText,
  toUIMessageStream,
} from 'ai'
import { Hono } from 'hono'

const { MODEL_URL = 'http://127.0.0.1:11434/v1', MODEL = 'qwen3', PORT = '0' } = process.env
const model = createOpenAICompatible({ name: 'local', baseURL: MODEL_URL })(MODEL)
const store = await openStore('memory:')
const executor = createToolExecutor({ tools: harbourTools })
const questions = createQuestions({ storage: store.documents })
const app = new Hono()

function explain(error: unknown): string {
  const last = RetryError.isInstance(error) ? error.lastError : error
  const isUnreachable = APICallError.isInstance(last) && last.statusCode === undefined
  return `${String(last).replace(/^\w+: /, '')}${isUnreachable ? '. Start Ollama, or set MODEL_URL and MODEL.' : ''}`
}

// This example has one person. A server with several checks here who may use the conversation `id`.
app.post('/chat', async ({ req }) => {
  const { id, messages } = await req.json<{ id: string; messages: ToolblocksUIMessage[] }>()
  const stream = createUIMessageStream<ToolblocksUIMessage>({
    originalMessages: messages,
    execute: async ({ writer }) => {
      const { tools, toolApproval, prepareModel, resumeCalls } = toAiSdkTools(executor, {
        context: { root: process.cwd(), conversationId: id },
        approvals: store.documents,
        questions,
        writer,
      })
      const resumed = await resumeCalls(messages)
      if (resumed.waiting.length > 0) return
      const turn = streamText({
        model: prepareModel(model),
        tools,
        toolApproval,
        messages: await convertToModelMessages(resumed.messages, { tools }),
        stopWhen: isStepCount(10),
        onError: ({ error }) => console.error(explain(error)),
      })
      writer.merge(toUIMessageStream({ stream: turn.fullStream, onError: explain }))
    },
  })
  return createUIMessageStreamResponse({ stream })
})

const REFUSED = {
  settled: 'the question was answered before, or is not asked any more.',
  unknown: 'the question does not exist in this conversation.',
  local: 'the call that asks does not wait here.',
}

app.post('/answer', async (context) => {
  const { conversation, id, answer } = await context.req.json()
  const result = await questions.answer({ conversation, id }, { answer, by: 'page' })
  if (result.ok) return context.json([])
  return context.json(result.why === 'invalid' ? result.problems : { refused: REFUSED[result.why] })
})

app.use(serveStatic({ root: `${import.meta.dirname}/dist` }))

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(PORT) }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}/`),
)
