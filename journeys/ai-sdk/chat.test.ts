import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createQuestions, toAiSdkTools, type ToolblocksUIMessage } from '@toolblocks/ai-sdk'
import { openStore } from '@toolblocks/conversation-store'
import { createLocalTool } from '@toolblocks/local-executor'
import { createToolExecutor } from '@toolblocks/tool-executor'
import { renderHtml } from '@toolblocks/renderer/html'
import type { ToolResult } from '@toolblocks/protocol'
import {
  convertToModelMessages,
  createUIMessageStream,
  isStepCount,
  isToolUIPart,
  readUIMessageStream,
  streamText,
  toUIMessageStream,
} from 'ai'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A program that asks for a size, and then prints a picture. */
const DRAW = `import { readFileSync } from 'node:fs'
const { tool } = JSON.parse(readFileSync(0, 'utf8'))
const schema = { enum: ['small', 'big'] }
const question = { id: 'size', text: 'Which size?', schema }
const text = { type: 'text', text: 'Drawn ' + tool.answers.size + '.' }
const image = { type: 'image', data: '${PIXEL}', mimeType: 'image/png' }
const content = tool.answers.size ? [text, image] : [{ type: 'question', question }]
console.log(JSON.stringify({ content }))
`

/** A server with a chat: `send` is one request of its page, which may end early. */
async function startChat() {
  const root = makeFolder({ 'draw.mjs': DRAW })
  const provider = await startProvider([
    { calls: [['draw', { what: 'a dot' }]] },
    { text: 'Done.' },
  ])
  const model = createOpenAICompatible({ name: 'local', baseURL: provider.url })('m')
  const store = await openStore('memory:')
  const tool = createLocalTool({
    name: 'draw',
    inputSchema: { type: 'object', properties: { what: { type: 'string' } } },
    command: [process.execPath, 'draw.mjs'],
  })
  const executor = createToolExecutor({ tools: [{ tool, policy: 'ask' }] })
  onTestFinished(async () => {
    await executor.close()
    await store.close()
  })

  async function send(
    messages: ToolblocksUIMessage[],
    closePage?: AbortController,
  ): Promise<ToolblocksUIMessage> {
    // Each request may be served by another process.
    const questions = createQuestions({ storage: store.documents })
    const last = messages.findLast(({ role }) => role === 'assistant')
    const stream = createUIMessageStream<ToolblocksUIMessage>({
      originalMessages: messages,
      execute: async ({ writer }) => {
        const { tools, toolApproval, prepareModel, resumeCalls } = toAiSdkTools(executor, {
          context: { root, conversationId: 'chat-1' },
          approvals: store.documents,
          questions,
          writer,
        })
        const resumed = await resumeCalls(messages)
        const turn = streamText({
          model: prepareModel(model),
          tools,
          toolApproval,
          messages: await convertToModelMessages(resumed.messages, { tools }),
          stopWhen: isStepCount(5),
          ...(closePage && { abortSignal: closePage.signal }),
        })
        writer.merge(toUIMessageStream({ stream: turn.fullStream }))
      },
    })
    let lastState: ToolblocksUIMessage | undefined
    for await (const state of readUIMessageStream({
      stream,
      ...(last && { message: structuredClone(last) }),
    })) {
      lastState = state
      if (state.parts.some(({ type }) => type === 'data-question')) closePage?.abort()
    }
    if (!lastState) throw new Error('the page received no message')
    return lastState
  }
  return { send, provider, store }
}

const HELLO: ToolblocksUIMessage = {
  id: 'u1',
  role: 'user',
  parts: [{ type: 'text', text: 'Draw a dot.' }],
}

test('promise chats of the AI SDK: a chat asks before a program runs, its question is answered after the page was closed, and page and model receive the picture', async () => {
  const { send, provider, store } = await startChat()
  const asked = await send([HELLO])
  const call = asked.parts.find(isToolUIPart)
  if (call?.state !== 'approval-requested') throw new Error('the page asks for no approval')
  Object.assign(call, {
    state: 'approval-responded',
    approval: { ...call.approval, approved: true },
  })

  const closed = await send([HELLO, asked], new AbortController())
  const [question] = await createQuestions({ storage: store.documents }).list('chat-1')
  expect(question).toMatchObject({ tool: 'draw', request: { text: 'Which size?' } })
  expect(provider.requests).toHaveLength(1)

  const phone = createQuestions({ storage: store.documents })
  const answer = { action: 'accept', value: 'small' } as const
  await phone.answer({ conversation: 'chat-1', id: question?.id ?? '' }, { answer, by: 'phone' })
  const done = await send([HELLO, closed])
  const drawn = done.parts.find(isToolUIPart)
  expect(drawn?.state).toBe('output-available')
  expect(String(renderHtml(drawn?.output as ToolResult, { root: '/' }))).toContain(PIXEL)
  expect(provider.requests).toHaveLength(2)
  expect(provider.requestMessages[1]?.slice(-2)).toMatchObject([
    { role: 'tool', content: expect.stringContaining('Drawn small.') },
    {
      role: 'user',
      content: [
        { type: 'text' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
      ],
    },
  ])
})

test('promise chats of the AI SDK: an approval that a page invents runs no program, and the model learns why', async () => {
  const { send, provider } = await startChat()
  const approval = { id: 'invented', approved: true }
  const part = {
    type: 'tool-draw',
    toolCallId: 'call_0',
    state: 'approval-responded',
    input: { what: 'a bomb' },
    approval,
  } as const
  const answered = await send([HELLO, { id: 'a1', role: 'assistant', parts: [part] }])
  expect(answered.parts.find(isToolUIPart)).toMatchObject({ state: 'output-denied' })
  expect(provider.results()).toEqual([expect.stringContaining('did not ask a person')])
})
