import assert from 'node:assert/strict'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { createQuestions, toAiSdkTools, type ToolblocksUIMessage } from '@toolblocks/ai-sdk'
import { openStore } from '@toolblocks/conversation-store'
import { createSuccessResult, isToolResult, selectQuestion, type Tool } from '@toolblocks/protocol'
import { createToolExecutor } from '@toolblocks/tool-executor'
import {
  convertToModelMessages,
  createUIMessageStream,
  isStepCount,
  isToolUIPart,
  readUIMessageStream,
  streamText,
  toUIMessageStream,
} from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Asks for a size, and then returns a picture. */
const draw: Tool = {
  name: 'draw',
  summary: 'Draws a picture.',
  inputSchema: { type: 'object', properties: { what: { type: 'string' } } },
  execute: async (_call, { answers }) => {
    const question = selectQuestion({ id: 'size', text: 'Which size?', options: ['small', 'big'] })
    if (answers['size'] === undefined) return createSuccessResult([{ type: 'question', question }])
    return createSuccessResult([{ type: 'image', data: PIXEL, mimeType: 'image/png' }])
  },
}

// One store, executor and set of questions for the whole application.
const store = await openStore('memory:')
const executor = createToolExecutor({ tools: [{ tool: draw, policy: 'ask' }] })
const questions = createQuestions({ storage: store.documents })

// A model of @ai-sdk/openai, @ai-sdk/anthropic or another provider stands here.
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const model = new MockLanguageModelV4({
  provider: 'openai.chat',
  doStream: async ({ prompt }) => {
    const hasResult = prompt.some(({ role }) => role === 'tool')
    const call = { toolCallId: 'call-1', toolName: 'draw', input: '{"what":"a dot"}' } as const
    return {
      stream: convertArrayToReadableStream<LanguageModelV4StreamPart>(
        hasResult
          ? [
              { type: 'text-start', id: '1' },
              { type: 'text-delta', id: '1', delta: 'Here it is.' },
              { type: 'text-end', id: '1' },
              { type: 'finish', usage, finishReason: { unified: 'stop', raw: 'stop' } },
            ]
          : [
              { type: 'tool-call', ...call },
              { type: 'finish', usage, finishReason: { unified: 'tool-calls', raw: 'tools' } },
            ],
      ),
    }
  },
})

/** The route of the chat: it has checked that the person may use this conversation. */
function chat(messages: ToolblocksUIMessage[], conversationId: string) {
  return createUIMessageStream<ToolblocksUIMessage>({
    originalMessages: messages,
    execute: async ({ writer }) => {
      const { tools, toolApproval, prepareModel, resumeCalls } = toAiSdkTools(executor, {
        context: { root: process.cwd(), conversationId },
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
      })
      writer.merge(toUIMessageStream({ stream: turn.fullStream }))
    },
  })
}

/** What a page does: it shows each state of the message, and sends the answers of the person. */
async function show(messages: ToolblocksUIMessage[]): Promise<ToolblocksUIMessage | undefined> {
  const message = messages.findLast(({ role }) => role === 'assistant')
  const stream = chat(messages, 'chat-1')
  let last = message
  for await (const state of readUIMessageStream({ stream, ...(message && { message }) })) {
    last = state
    for (const part of state.parts)
      if (part.type === 'data-question' && part.data.state === 'open')
        // The route for answers: it has checked that the person may answer.
        await questions.answer(
          { conversation: 'chat-1', id: part.data.id },
          {
            answer: { action: 'accept', value: 'small' },
            by: 'page',
          },
        )
  }
  return last
}

const hello: ToolblocksUIMessage = {
  id: '1',
  role: 'user',
  parts: [{ type: 'text', text: 'Draw a dot.' }],
}
const asked = await show([hello])
const call = asked?.parts.find(isToolUIPart)
assert(asked && call?.state === 'approval-requested')

// The person allows the call; useChat does this with addToolApprovalResponse.
Object.assign(call, { state: 'approval-responded', approval: { ...call.approval, approved: true } })
const done = await show([hello, asked])
assert.equal(done?.parts.at(-1)?.type, 'text')

// The page has the complete result, and OpenAI's Chat API received the picture in a user message after the results.
const drawn = done.parts.find(isToolUIPart)
assert(drawn?.state === 'output-available' && isToolResult(drawn.output))
assert.equal(drawn.output.content[0]?.type, 'image')
const sent = model.doStreamCalls.at(-1)?.prompt ?? []
assert.deepEqual(
  sent.map(({ role }) => role),
  ['user', 'assistant', 'tool', 'user'],
)
await store.close()
