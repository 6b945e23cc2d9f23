import { createServer } from 'node:http'
import { createOpenAI } from '@ai-sdk/openai'
import { isStepCount, jsonSchema, streamText, tool } from 'ai'
import { toAiSdkTools } from '../../../packages/ai-sdk/src/index.ts'
import { openStore } from '../../../packages/conversation-store/src/index.ts'
import { createSuccessResult } from '../../../packages/protocol/src/index.ts'
import { createToolExecutor } from '../../../packages/tool-executor/src/index.ts'
import { compareTimes } from '../measure.mjs'

export const title = 'Turns of the AI SDK'
export const intro =
  "A turn of `streamText` with one call, and a provider on loopback (OpenAI's Chat API), beside the same turn with a tool of the AI SDK itself."

const inputSchema = {
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text'],
  additionalProperties: false,
}
const echo = (text) => `Echo: ${text} `.repeat(50)

/** Answers a request without results with a call, and other requests with a text. */
async function startProvider() {
  const event = (delta, finish_reason = null) =>
    `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
  const call = { index: 0, id: 'call-1', function: { name: 'echo', arguments: '{"text":"a"}' } }
  const calling = event({ tool_calls: [call] }) + event({}, 'tool_calls')
  const chunks = Array.from({ length: 20 }, (_, index) => event({ content: `word ${index} ` }))
  const answer = chunks.join('') + event({}, 'stop')
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const hasResult = JSON.parse(body).messages.some(({ role }) => role === 'tool')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`${hasResult ? answer : calling}data: [DONE]\n\n`)
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  const { chat } = createOpenAI({
    apiKey: 'none',
    baseURL: `http://127.0.0.1:${server.address().port}/v1`,
  })
  return { model: chat('gpt-4.1'), close: () => server.close() }
}

async function runTurn(settings) {
  const turn = streamText({ prompt: 'Go.', stopWhen: isStepCount(2), ...settings })
  let parts = 0
  for await (const _ of turn.fullStream) parts += 1
  if (parts < 20 || (await turn.steps).length !== 2) throw new Error('the turn has two steps')
}

export async function measure(pace) {
  const provider = await startProvider()
  const store = await openStore('memory:')
  const executor = createToolExecutor({
    tools: [
      {
        tool: {
          name: 'echo',
          inputSchema,
          execute: async ({ arguments: { text } }) =>
            createSuccessResult([{ type: 'text', text: echo(text) }]),
        },
        policy: 'unattended',
      },
    ],
  })
  const tools = {
    echo: tool({ inputSchema: jsonSchema(inputSchema), execute: async ({ text }) => echo(text) }),
  }
  const context = { root: '/', conversationId: 'c' }
  // One turn fills a round, so a median needs more of them.
  const row = await compareTimes(
    { ...pace, rounds: pace.rounds * 5 },
    {
      name: 'a turn with one call',
      ours: async () => {
        const made = toAiSdkTools(executor, { context, approvals: store.documents })
        await runTurn({
          model: made.prepareModel(provider.model),
          tools: made.tools,
          toolApproval: made.toolApproval,
        })
      },
      against: 'the same turn with a tool of the AI SDK',
      yardstick: async () => await runTurn({ model: provider.model, tools }),
      target: { ratio: 1.2 },
    },
  )
  await executor.close()
  await store.close()
  provider.close()
  return [row]
}
