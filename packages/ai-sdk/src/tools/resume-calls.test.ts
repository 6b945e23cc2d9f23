import { createSuccessResult, textQuestion, type Tool } from '@toolblocks/protocol'
import { openStore } from '@toolblocks/conversation-store'
import { createToolExecutor } from '@toolblocks/tool-executor'
import { expect, onTestFinished, test } from 'vitest'
import {
  CALLS,
  closeWhenAsked,
  COLOR,
  createAsking,
  findPart,
  openChat,
  PERSON,
} from '../testing/chat.support.ts'
import { createFixedTool, createTools, startModel } from '../testing/models.support.ts'
import { createQuestions } from './questions.ts'
import { toAiSdkTools, type ToolblocksUIMessage } from './to-ai-sdk-tools.ts'

/** A tool that asks for a colour, and what is noted of each of its runs. */
function recordRuns(note: (...run: Parameters<Tool['execute']>) => unknown): {
  tool: Tool
  runs: unknown[]
} {
  const runs: unknown[] = []
  const asking = createAsking(COLOR)
  const execute: Tool['execute'] = async (...run) => {
    runs.push(note(...run))
    return await asking.execute(...run)
  }
  return { tool: { ...asking, execute }, runs }
}

test('with a storage, a question waits after its request has ended, and its call is made again with the answer', async () => {
  const { provider, model } = await startModel('OpenAI Chat', CALLS)
  const { documents, close } = await openStore('memory:')
  onTestFinished(close)
  const { send } = await openChat(
    createAsking(COLOR),
    createQuestions({ storage: documents }),
    model,
  )
  const { messages, question } = await closeWhenAsked(send)
  expect(findPart(messages.at(-1))).toMatchObject({ state: 'input-available' })
  // Another process, an hour later.
  const later = createQuestions({ storage: documents })
  expect(await later.list('chat-1')).toEqual([question])
  const early = await send(messages)
  expect(early.waiting).toEqual([question])
  expect(provider.requests).toHaveLength(1)
  await later.answer(
    { conversation: 'chat-1', id: question?.id ?? '' },
    {
      answer: { action: 'accept', value: 'red' },
      by: 'phone',
    },
  )
  const done = await send(early.messages.length > 1 ? early.messages : messages)
  expect(findPart(done.messages.at(-1))).toMatchObject({
    state: 'output-available',
    output: { content: [{ text: 'Painted: {"color":"red"}' }] },
  })
  expect(provider.results()).toEqual(['Painted: {"color":"red"}'])
})

test('a call with several questions is made again with all answers, and asks the next one in the new request', async () => {
  const { provider, model } = await startModel('OpenAI Chat', CALLS)
  const { documents, close } = await openStore('memory:')
  onTestFinished(close)
  const questions = createQuestions({ storage: documents })
  const size = textQuestion({ id: 'size', text: 'Which size?' })
  const { send } = await openChat(createAsking(COLOR, size), questions, model)
  const { messages, question } = await closeWhenAsked(send)
  await questions.answer(
    { conversation: 'chat-1', id: question?.id ?? '' },
    {
      answer: { action: 'accept', value: 'red' },
      by: 'x',
    },
  )
  await send(messages, {
    onQuestion: ({ id, request }) =>
      void (
        request.id === 'size' &&
        questions.answer(
          { conversation: 'chat-1', id },
          { answer: { action: 'accept', value: 'big' }, by: 'x' },
        )
      ),
  })
  expect(provider.results()).toEqual(['Painted: {"color":"red","size":"big"}'])
})

test('a call is made again once, with the arguments that the server stored', async () => {
  const { model } = await startModel('OpenAI Chat', CALLS)
  const { documents, close } = await openStore('memory:')
  onTestFinished(close)
  const questions = createQuestions({ storage: documents })
  const { tool, runs } = recordRuns((call) => call.arguments)
  const { send } = await openChat(tool, questions, model)
  const { messages, question } = await closeWhenAsked(send)
  await questions.answer(
    { conversation: 'chat-1', id: question?.id ?? '' },
    {
      answer: { action: 'accept', value: 'red' },
      by: 'x',
    },
  )
  const changed = structuredClone(messages)
  Object.assign(findPart(changed.at(-1)) ?? {}, { input: { all: true } })
  const made = await createTools([{ tool, policy: 'unattended' }], {
    approvals: documents,
    questions,
  })
  const [first, second] = await Promise.all([made.resumeCalls(changed), made.resumeCalls(changed)])
  expect(runs).toEqual([{}, {}])
  const parts = [first, second].map((each) => findPart(each.messages.at(-1)))
  for (const isError of [false, true])
    expect(parts).toContainEqual(
      expect.objectContaining({
        state: 'output-available',
        input: {},
        output: expect.objectContaining({ isError }),
      }),
    )
})

test('a call whose question was answered while it ran is not made again, whatever the page sends', async () => {
  const { model } = await startModel('OpenAI Chat', CALLS)
  const { documents, close } = await openStore('memory:')
  onTestFinished(close)
  const questions = createQuestions({ storage: documents })
  const { tool, runs } = recordRuns((_call, { answers }) => answers)
  const { send } = await openChat(tool, questions, model, documents)
  const { messages } = await send([PERSON], {
    onQuestion: ({ id }) =>
      void questions.answer(
        { conversation: 'chat-1', id },
        { answer: { action: 'accept', value: 'red' }, by: 'page' },
      ),
  })
  expect(findPart(messages.at(-1))).toMatchObject({ state: 'output-available' })
  expect(runs).toEqual([{}, { color: 'red' }])
  // The page was closed before it received the result.
  const [last] = structuredClone(messages).slice(-1)
  Object.assign(findPart(last) ?? {}, { state: 'input-available', output: undefined })
  const made = await createTools([{ tool, policy: 'unattended' }], {
    approvals: documents,
    questions,
  })
  const resumed = await made.resumeCalls(last ? [PERSON, last] : [])
  expect(runs).toHaveLength(2)
  expect(findPart(resumed.messages.at(-1))).toMatchObject({
    state: 'output-available',
    output: { isError: true, metadata: { outcome: 'cancelled' } },
  })
})

test('an answer does not count after a newer message was sent, also if the page sends the messages without it', async () => {
  const { provider, model } = await startModel('OpenAI Chat', CALLS)
  const { documents, close } = await openStore('memory:')
  onTestFinished(close)
  const questions = createQuestions({ storage: documents })
  const { tool, runs } = recordRuns((_call, { answers }) => answers)
  const { send } = await openChat(tool, questions, model, documents)
  const { messages, question } = await closeWhenAsked(send)
  await send([...messages, NEXT])
  expect(provider.results()).toEqual([expect.stringContaining('not made again')])
  await questions.answer(
    { conversation: 'chat-1', id: question?.id ?? '' },
    { answer: { action: 'accept', value: 'red' }, by: 'x' },
  )
  await send(messages)
  expect(provider.results()).toEqual([expect.stringContaining('not made again')])
  expect(runs).toEqual([{}])
})

test('a call that was made again is not made a third time, and the conversation continues', async () => {
  const { provider, model } = await startModel('OpenAI Chat', CALLS)
  const { documents, close } = await openStore('memory:')
  onTestFinished(close)
  const questions = createQuestions({ storage: documents })
  const { send } = await openChat(createAsking(COLOR), questions, model, documents)
  const { messages, question } = await closeWhenAsked(send)
  await questions.answer(
    { conversation: 'chat-1', id: question?.id ?? '' },
    {
      answer: { action: 'accept', value: 'red' },
      by: 'x',
    },
  )
  // The page was closed before it received the result of the first of these requests.
  const made = await createTools([{ tool: createAsking(COLOR), policy: 'unattended' }], {
    approvals: documents,
    questions,
  })
  await made.resumeCalls(messages)
  const done = await send(messages)
  expect(provider.results()).toEqual([expect.stringContaining('not made again')])
  expect(done.messages.at(-1)?.parts.at(-1)).toMatchObject({ type: 'text', text: 'It is painted.' })
})

test('a call whose question of a server was answered after its process had ended is not made again', async () => {
  const { model } = await startModel('OpenAI Chat', CALLS)
  const { documents, close } = await openStore('memory:')
  onTestFinished(close)
  /** A process that was killed withdraws no question. */
  const killed: typeof documents.write = async (document) => {
    if (document.state === 'withdrawn') throw new Error('killed')
    return await documents.write(document)
  }
  const questions = createQuestions({ storage: { ...documents, write: killed } })
  let runs = 0
  const tool = createFixedTool('paint', createSuccessResult([]), {
    execute: async (call, { ask, signal }) => {
      runs += 1
      await ask?.(COLOR, { blocks: [], source: { kind: 'elicitation', call, server: 's' }, signal })
      return createSuccessResult([])
    },
  })
  const { send } = await openChat(tool, questions, model, documents)
  const { messages, question } = await closeWhenAsked(send)
  expect(findPart(messages.at(-1))).toMatchObject({ state: 'input-available' })
  const late = { answer: { action: 'accept', value: 'red' }, by: 'x' } as const
  expect(
    await questions.answer({ conversation: 'chat-1', id: question?.id ?? '' }, late),
  ).toMatchObject({ ok: true })
  const made = await createTools([{ tool, policy: 'unattended' }], {
    approvals: documents,
    questions,
  })
  const { messages: resumed } = await made.resumeCalls(messages)
  expect(runs).toBe(1)
  expect(findPart(resumed.at(-1))).toMatchObject({
    state: 'output-available',
    output: { isError: true, metadata: { outcome: 'cancelled' } },
  })
})

test('without a storage, a call whose request ended before the answer is not made again, and the conversation continues', async () => {
  const { provider, model } = await startModel('OpenAI Chat', [
    { calls: [['paint', { wall: 'north' }]] },
    { text: 'It is painted.' },
  ])
  const { tool, runs } = recordRuns((call) => call.arguments)
  const { send } = await openChat(tool, createQuestions(), model)
  const { messages } = await closeWhenAsked(send)
  const done = await send(messages)
  expect(runs).toEqual([{ wall: 'north' }])
  expect(findPart(done.messages.at(-1))).toMatchObject({
    state: 'output-available',
    input: { wall: 'north' },
    output: { isError: true, metadata: { outcome: 'cancelled' } },
  })
  expect(provider.requests).toHaveLength(2)
  expect(JSON.stringify(provider.requests[1])).toContain('north')
})

test('an answer to a tool whose definition has changed does not count', async () => {
  const { model } = await startModel('OpenAI Chat', CALLS)
  const { documents, close } = await openStore('memory:')
  onTestFinished(close)
  const questions = createQuestions({ storage: documents })
  const { send } = await openChat(createAsking(COLOR), questions, model)
  const { messages, question } = await closeWhenAsked(send)
  await questions.answer(
    { conversation: 'chat-1', id: question?.id ?? '' },
    {
      answer: { action: 'accept', value: 'red' },
      by: 'x',
    },
  )
  const tool = { ...createAsking(COLOR), description: 'Paints another wall.' }
  const made = await createTools([{ tool, policy: 'unattended' }], {
    approvals: documents,
    questions,
  })
  const resumed = await made.resumeCalls(messages)
  const part = findPart(resumed.messages.at(-1))
  expect(part).toMatchObject({ output: { isError: true } })
  for (const sentence of ['the definition of the tool has changed', 'The wall is white.'])
    expect(JSON.stringify(part)).toContain(sentence)
})

test('a question of another conversation does not count, also for a call with the same id', async () => {
  const { model } = await startModel('OpenAI Chat', CALLS)
  const { documents, close } = await openStore('memory:')
  onTestFinished(close)
  const questions = createQuestions({ storage: documents })
  const { tool, runs } = recordRuns(({ id }) => id)
  const { send } = await openChat(tool, questions, model)
  const { messages, question } = await closeWhenAsked(send)
  const answer = { action: 'accept', value: 'red' } as const
  await questions.answer({ conversation: 'chat-1', id: question?.id ?? '' }, { answer, by: 'x' })
  const made = await createTools([{ tool, policy: 'unattended' }], {
    approvals: documents,
    questions,
    context: { root: '/w', conversationId: 'chat-2' },
  })
  expect(await made.resumeCalls(messages)).toEqual({ messages, waiting: [] })
  expect(runs).toHaveLength(1)
})

const NEXT: ToolblocksUIMessage = {
  id: 'next',
  role: 'user',
  parts: [{ type: 'text', text: 'What else?' }],
}

/** Returns the messages as a page has them after the person has decided about the call. */
function decide(messages: readonly ToolblocksUIMessage[], approved: boolean) {
  const decided = structuredClone([...messages])
  const part = decided.map(findPart).find((each) => each !== undefined)
  if (part?.type !== 'tool-paint' || part.state !== 'approval-requested')
    throw new Error('no call waits for a decision')
  Object.assign(part, { state: 'approval-responded', approval: { ...part.approval, approved } })
  return decided
}

/** A chat whose model has called a tool that waits for a decision. */
async function askPerson() {
  const { provider, model } = await startModel('OpenAI Chat', [{ calls: [['paint', {}]] }])
  const { documents, close } = await openStore('memory:')
  onTestFinished(close)
  const runs: unknown[] = []
  const tool = createFixedTool('paint', createSuccessResult([{ type: 'text', text: 'Painted.' }]), {
    execute: async (call) => {
      runs.push(call.arguments)
      return createSuccessResult([{ type: 'text', text: 'Painted.' }])
    },
  })
  const { send } = await openChat(tool, createQuestions(), model, documents, 'ask')
  const { messages } = await send([PERSON])
  expect(findPart(messages.at(-1))).toMatchObject({ state: 'approval-requested' })
  return { send, provider, documents, tool, runs, asked: messages }
}

test.for(['no decision', 'an approval'])(
  'a call of an earlier message with %s is not executed, and the model is told so in each request',
  async (decision) => {
    const { send, provider, runs, asked } = await askPerson()
    const messages = decision === 'an approval' ? decide(asked, true) : asked
    const { messages: answered } = await send([...messages, NEXT])
    expect(answered.at(-1)?.parts.at(-1)).toMatchObject({ type: 'text' })
    expect(provider.results()).toEqual([expect.stringContaining('was not executed')])
    await send([...answered, NEXT])
    expect(provider.requests).toHaveLength(3)
    expect(provider.results()).toEqual([expect.stringContaining('was not executed')])
    expect(runs).toEqual([])
  },
)

test('an approval does not count after a newer message was sent, also if the page sends it without that message', async () => {
  const { send, provider, runs, asked } = await askPerson()
  await send([...asked, NEXT])
  await send(decide(asked, true))
  expect(provider.results()).toEqual([
    expect.stringContaining('the conversation continued before this decision'),
  ])
  expect(runs).toEqual([])
})

test('an approved call that has run without its result reaching the page does not run again, and the model is told that it may have had an effect', async () => {
  const { send, provider, runs, asked } = await askPerson()
  const approved = decide(asked, true)
  await send(approved)
  expect(runs).toHaveLength(1)
  await send([...approved, NEXT])
  expect(provider.results()).toEqual([expect.stringContaining('A part of the work may be done')])
  expect(runs).toHaveLength(1)
})

test('a denied call of an earlier message keeps its denial', async () => {
  const { send, provider, asked } = await askPerson()
  await send([...decide(asked, false), NEXT])
  expect(provider.results()).toEqual([expect.stringMatching(/denied/i)])
})

test('a call with the id of an earlier one keeps its approval', async () => {
  const { send, runs, asked } = await askPerson()
  const again = asked.map((message) => ({ ...message, id: `again-${message.id}` }))
  await send([...asked, ...decide(again, true)])
  expect(runs).toEqual([{}])
})

test('a call of an earlier message whose request ended while it ran has an error as its result, also without approvals and questions', async () => {
  const { provider, model } = await startModel('OpenAI Chat', CALLS)
  const controller = new AbortController()
  const tool = createFixedTool('paint', createSuccessResult([]), {
    execute: async () => {
      controller.abort()
      return createSuccessResult([])
    },
  })
  const { send } = await openChat(tool, createQuestions(), model)
  const { messages } = await send([PERSON], { abortSignal: controller.signal })
  expect(findPart(messages.at(-1))).toMatchObject({ state: 'input-available' })
  const { resumeCalls } = toAiSdkTools(createToolExecutor({ tools: [] }), {
    context: { root: '/w', conversationId: 'chat-1' },
  })
  const { messages: resumed } = await resumeCalls([...messages, NEXT])
  expect(findPart(resumed.at(-2))).toMatchObject({
    state: 'output-error',
    errorText: expect.stringContaining('A part of the work may be done'),
  })
  await send([...messages, NEXT])
  expect(provider.results()).toEqual([expect.stringContaining('A part of the work may be done')])
})

test('calls of earlier messages that have results, and calls that the provider executes, stay as they are', async () => {
  const made = await createTools([])
  const parts = [
    { state: 'output-available', output: createSuccessResult([]) },
    { state: 'output-error', errorText: 'It failed.' },
    { state: 'output-denied', approval: { id: 'a', approved: false } },
    { state: 'input-streaming' },
    { state: 'input-available', providerExecuted: true },
  ].map((part, index) => ({ type: 'tool-paint', toolCallId: `call-${index}`, input: {}, ...part }))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts of a page
  const painted = { id: 'a', role: 'assistant', parts } as ToolblocksUIMessage
  const messages = [PERSON, painted, NEXT]
  expect(await made.resumeCalls(messages)).toEqual({ messages, waiting: [] })
})
