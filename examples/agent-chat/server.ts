import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { createAgent, type Model, openConversation } from '@toolblocks/agent'
import { openStore } from '@toolblocks/conversation-store'
import { harbourTools } from '@toolblocks/example-harbour-tools'
import { readOpenAiChatMessage, toOpenAiChatRequest } from '@toolblocks/formatter/openai'
import type { JsonValue, ToolCall } from '@toolblocks/protocol'
import type { Message, MessagePart } from '@toolblocks/react'
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'

const { MODEL_URL = 'http://127.0.0.1:11434/v1', MODEL = 'qwen3', PORT = '0' } = process.env

/** A server that is compatible with OpenAI's Chat API. */
const model: Model = async function* (request, signal) {
  const body = JSON.stringify({ model: MODEL, ...toOpenAiChatRequest(request) })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal }
  const lost = `${MODEL_URL} does not answer. Start Ollama, or set MODEL_URL and MODEL.`
  const response = await fetch(`${MODEL_URL}/chat/completions`, init).catch(() => undefined)
  if (!response?.ok) throw new Error((await response?.text()) ?? lost)
  const { choices } = await response.json()
  yield { type: 'message', message: readOpenAiChatMessage(choices[0].message) }
}

/** What the pages show. `update` sends it to all of them. */
const messages: Message[] = []
/** The parts of the turn that runs. A turn whose message comes meanwhile waits. */
let running: MessagePart[] = []
const pages = new Set<() => void>()
const update = (): void => pages.forEach((send) => send())

function show(part: MessagePart): MessagePart {
  running.push(part)
  update()
  return part
}

function showCall({ id, name, arguments: input }: ToolCall, changes: object): void {
  const part =
    running.find(({ toolCallId }) => toolCallId === id) ??
    show({ type: 'dynamic-tool', toolName: name, toolCallId: id, input, state: 'input-available' })
  Object.assign(part, changes)
  update()
}

/** What a person decides about a call or answers to a question. Their ids are the keys. */
type Reply = { approved?: boolean; reason?: string; action?: string; value?: JsonValue }
const replies = new Map<string, (reply: Reply) => void>()
const waitFor = async (id: string, signal: AbortSignal): Promise<Reply> =>
  await new Promise<Reply>((resolve) => {
    replies.set(id, resolve)
    signal.addEventListener('abort', () => resolve({}))
  }).finally(() => replies.delete(id))

const agent = createAgent({
  model,
  conversation: await openConversation(await openStore('memory:'), 'harbour'),
  tools: () => harbourTools,
  root: process.cwd(),
  people: {
    approve: async (call, { signal }) => {
      showCall(call, { state: 'approval-requested', approval: { id: call.id } })
      const { approved, reason = 'no reason given' } = await waitFor(call.id, signal)
      showCall(call, { state: 'approval-responded', approval: { id: call.id, approved, reason } })
      return approved ? { decision: 'allowed' } : { decision: 'denied', reason }
    },
    user: async (request, { blocks, signal }) => {
      const data = { id: crypto.randomUUID(), request, blocks, state: 'open' }
      show({ type: 'data-question', data })
      const { action, value = null } = await waitFor(data.id, signal)
      data.state = 'answered'
      update()
      return action === 'accept' ? { action, value } : { action: 'decline' }
    },
  },
})

const app = new Hono()
app.get('/messages', (context) =>
  streamSSE(context, async (stream) => {
    const send = (): void => void stream.writeSSE({ data: JSON.stringify(messages) })
    pages.add(send)
    send()
    await new Promise<void>((closed) => stream.onAbort(closed))
    pages.delete(send)
  }),
)
app.post('/say', async (context) => {
  const content = [{ type: 'text', text: (await context.req.json()).text } as const]
  const parts: MessagePart[] = []
  messages.push({ id: `${messages.length}`, role: 'user', parts: content })
  messages.push({ id: `${messages.length}`, role: 'assistant', parts })
  update()
  const turn = agent.runTurn(content, {
    signal: AbortSignal.timeout(3_600_000),
    show: (event) => {
      running = parts
      if (event.type === 'message') event.message.content.forEach((block) => show({ ...block }))
      if (event.type === 'call') showCall(event.call, {})
      if (event.type === 'result')
        showCall(event.call, { state: 'output-available', output: event.result })
    },
  })
  await turn.catch(({ message }: Error) => parts.push({ type: 'text', text: message }))
  update()
  return context.json('')
})
app.post('/reply', async (context) => {
  const { id, ...reply } = await context.req.json()
  const receive = replies.get(id)
  receive?.(reply)
  return context.json(receive ? {} : { refused: 'nothing waits for it any more.' })
})
app.use(serveStatic({ root: `${import.meta.dirname}/dist` }))

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(PORT) }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}/`),
)
