import { booleanQuestion, createSuccessResult, type InputRequest } from '@toolblocks/protocol'
import { openStore } from '@toolblocks/conversation-store'
import { expect, onTestFinished, test } from 'vitest'
import {
  CALLS,
  COLOR,
  createAsking,
  findPart,
  findQuestions,
  openChat,
  PERSON,
} from '../testing/chat.support.ts'
import { createFixedTool, createTools, startModel } from '../testing/models.support.ts'
import { createQuestionPort, createQuestions, type QuestionData } from './questions.ts'

test('a question reaches the page with its schema and what the tool showed, and the answer reaches the tool', async () => {
  const { provider, model } = await startModel('OpenAI Chat', CALLS)
  const questions = createQuestions()
  const { send } = await openChat(createAsking(COLOR), questions, model)
  const asked: QuestionData[] = []
  const { messages } = await send([PERSON], {
    onQuestion: (question) => {
      asked.push(question)
      void questions.answer(
        { conversation: 'chat-1', id: question.id },
        { answer: { action: 'accept', value: 'red' }, by: 'page' },
      )
    },
  })
  expect(asked).toEqual([
    {
      id: expect.any(String),
      callId: 'call_1',
      tool: 'paint',
      request: COLOR,
      blocks: [{ type: 'text', text: 'The wall is white.' }],
      state: 'open',
    },
  ])
  expect(findQuestions(messages.at(-1))).toEqual([{ ...asked[0], state: 'answered' }])
  expect(provider.results()).toEqual(['Painted: {"color":"red"}'])
})

test('a page is shown what the tool returned before and after a question, and the server that asks', async () => {
  const { model } = await startModel('OpenAI Chat', CALLS)
  const questions = createQuestions()
  const signal = new AbortController().signal
  const tool = createFixedTool('paint', createSuccessResult([]), {
    execute: async (call, context) => {
      await context.ask?.(COLOR, {
        blocks: [],
        source: { kind: 'elicitation', server: 'paints', call },
        signal,
      })
      if (Object.hasOwn(context.answers, 'sure')) return createSuccessResult([])
      return createSuccessResult([
        { type: 'text', text: 'The wall is white.' },
        { type: 'question', question: booleanQuestion({ id: 'sure', text: 'Really?' }) },
        { type: 'text', text: 'It takes a day.' },
      ])
    },
  })
  const { send } = await openChat(tool, questions, model)
  const asked: QuestionData[] = []
  await send([PERSON], {
    onQuestion: (question) => {
      asked.push(question)
      void questions.answer(
        { conversation: 'chat-1', id: question.id },
        {
          answer: { action: 'accept', value: question.request.id === 'sure' ? true : 'red' },
          by: 'page',
        },
      )
    },
  })
  const [ofServer, ofTool] = asked
  expect(ofServer).toMatchObject({ request: COLOR, server: 'paints' })
  expect(ofTool).toMatchObject({
    request: { id: 'sure' },
    blocks: [{ text: 'The wall is white.' }],
    after: [{ text: 'It takes a day.' }],
  })
})

test('an answer that does not match the schema is refused, and the question stays open', async () => {
  const { provider, model } = await startModel('OpenAI Chat', CALLS)
  const questions = createQuestions()
  const { send } = await openChat(createAsking(COLOR), questions, model)
  const refused: unknown[] = []
  await send([PERSON], {
    onQuestion: async ({ id }) => {
      const by = 'page'
      refused.push(
        await questions.answer(
          { conversation: 'chat-1', id },
          { answer: { action: 'accept', value: 'blue' }, by },
        ),
      )
      refused.push(
        await questions.answer(
          { conversation: 'chat-1', id: 'none' },
          { answer: { action: 'decline' }, by },
        ),
      )
      await questions.answer(
        { conversation: 'chat-1', id },
        { answer: { action: 'accept', value: 'green' }, by },
      )
      refused.push(
        await questions.answer(
          { conversation: 'chat-1', id },
          { answer: { action: 'decline' }, by },
        ),
      )
    },
  })
  expect(refused).toMatchObject([
    { ok: false, why: 'invalid', problems: [expect.anything()] },
    { ok: false, why: 'unknown' },
    { ok: false, why: 'settled' },
  ])
  expect(provider.results()).toEqual(['Painted: {"color":"green"}'])
})

test('a declined question ends its call as denied', async () => {
  const { model } = await startModel('OpenAI Chat', CALLS)
  const questions = createQuestions()
  const { send } = await openChat(createAsking(COLOR), questions, model)
  const { messages } = await send([PERSON], {
    onQuestion: ({ id }) =>
      void questions.answer(
        { conversation: 'chat-1', id },
        { answer: { action: 'decline' }, by: 'page' },
      ),
  })
  expect(findPart(messages.at(-1))).toMatchObject({ output: { metadata: { outcome: 'denied' } } })
  expect(findQuestions(messages.at(-1))).toMatchObject([{ state: 'declined' }])
})

test('a secret reaches a call that waits in this process, and is stored nowhere', async () => {
  const { provider, model } = await startModel('OpenAI Chat', CALLS)
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  const written: unknown[] = []
  const { documents } = store
  const questions = createQuestions({
    storage: {
      ...documents,
      write: async (document) => {
        written.push(document)
        return await documents.write(document)
      },
    },
  })
  const secret: InputRequest = {
    id: 'password',
    text: 'Password?',
    schema: { type: 'string', format: 'password', writeOnly: true },
  }
  const { send } = await openChat(createAsking(secret), questions, model)
  const { messages } = await send([PERSON], {
    onQuestion: ({ id }) =>
      void questions.answer(
        { conversation: 'chat-1', id },
        { answer: { action: 'accept', value: 'hunter2' }, by: 'page' },
      ),
  })
  expect(provider.results()[0]).toContain('hunter2')
  expect(JSON.stringify([written, findQuestions(messages.at(-1))])).not.toContain('hunter2')
})

test('a request that ends takes only its own wait for a secret away', async () => {
  for (const other of [undefined, () => {}]) {
    const { model } = await startModel('OpenAI Chat', CALLS)
    const questions = createQuestions()
    const schema = { type: 'string', format: 'password' }
    const { send } = await openChat(createAsking({ ...COLOR, schema }), questions, model)
    const page = new AbortController()
    let asked = ''
    await send([PERSON], {
      abortSignal: page.signal,
      onQuestion: ({ id }) => {
        asked = id
        if (other) questions.waiting.set(id, other)
        page.abort()
      },
    })
    await expect.poll(() => questions.waiting.get(asked)).toBe(other)
  }
})

test('of the answers to a secret, an invalid one is refused, and the first valid one counts', async () => {
  const { provider, model } = await startModel('OpenAI Chat', CALLS)
  const questions = createQuestions()
  const secret: InputRequest = {
    id: 'password',
    text: 'Password?',
    schema: { type: 'string', format: 'password', writeOnly: true, minLength: 5 },
  }
  const { send } = await openChat(createAsking(secret), questions, model)
  const results: unknown[] = []
  await send([PERSON], {
    onQuestion: async ({ id }) => {
      const answer = async (value: string) =>
        await questions.answer(
          { conversation: 'chat-1', id },
          { answer: { action: 'accept', value }, by: 'page' },
        )
      results.push(await answer('abc'))
      results.push(...(await Promise.all([answer('hunter2'), answer('hunter3')])))
    },
  })
  const question = { call: { name: 'paint' }, request: secret }
  expect(results).toMatchObject([
    { ok: false, why: 'invalid', question, problems: [expect.anything()] },
    { ok: true, question },
    { ok: false, why: 'local', question },
  ])
  expect(provider.results()[0]).toContain('hunter2')
})

test('without a storage, a question ends with its request, and its call has no answer', async () => {
  const outcomes: unknown[] = []
  const tool = createAsking(COLOR)
  const questions = createQuestions()
  const made = await createTools([{ tool, policy: 'unattended' }], { questions })
  const controller = new AbortController()
  const { execute } = made.tools['paint'] ?? {}
  const running = execute?.(
    {},
    {
      toolCallId: 'call_1',
      messages: [],
      abortSignal: controller.signal,
      context: undefined,
    },
  )
  const ended = (async () => {
    if (running && Symbol.asyncIterator in running)
      for await (const { metadata } of running) outcomes.push(metadata?.outcome)
  })()
  await expect.poll(async () => await questions.list('chat-1')).toHaveLength(1)
  expect(await questions.list('chat-2')).toEqual([])
  const [question] = await questions.list('chat-1')
  controller.abort()
  await ended
  expect(outcomes).toEqual(['unanswered'])
  expect(await questions.list('chat-1')).toEqual([])
  const late = { answer: { action: 'accept', value: 'red' }, by: 'page' } as const
  expect(
    await questions.answer({ conversation: 'chat-1', id: question?.id ?? '' }, late),
  ).toMatchObject({ why: 'settled' })
})

test('without a storage, the content of a question is kept only until its call has the answer', async () => {
  const { provider, model } = await startModel('OpenAI Chat', [
    { calls: [['paint', { wall: 'marked arguments' }]] },
    { text: 'Done.' },
  ])
  const questions = createQuestions()
  const large = 'marked content '.repeat(10_000)
  const { send } = await openChat(
    createAsking({ id: 'color', text: large, schema: { type: 'string', title: large } }),
    questions,
    model,
  )
  const asked: string[] = []
  await send([PERSON], {
    onQuestion: ({ id }) => {
      asked.push(id)
      void questions.answer(
        { conversation: 'chat-1', id },
        { answer: { action: 'accept', value: 'marked answer' }, by: 'page', reason: large },
      )
    },
  })
  expect(provider.results()[0]).toContain('marked answer')
  const { documents } = await questions.storage.list('question', {})
  expect(documents.map(({ id }) => id)).toEqual(asked)
  expect(JSON.stringify(documents)).not.toContain('marked')
  expect(JSON.stringify(documents).length).toBeLessThan(600)
  // A second answer learns that there was one before.
  const again = { answer: { action: 'accept', value: 'blue' }, by: 'phone' } as const
  const late = await questions.answer({ conversation: 'chat-1', id: asked[0] ?? '' }, again)
  expect(late).toMatchObject({
    why: 'settled',
    question: { state: 'answered', settled: { by: 'page' } },
  })
  expect(
    await questions.answer({ conversation: 'chat-2', id: asked[0] ?? '' }, again),
  ).toMatchObject({ why: 'unknown' })
})

test('a question of a server outside a call is not asked in a page', async () => {
  const answers: unknown[] = []
  const { signal } = new AbortController()
  const tool = createFixedTool('paint', createSuccessResult([]), {
    execute: async (_, { ask }) => {
      answers.push(
        await ask?.(COLOR, { blocks: [], source: { kind: 'elicitation', server: 's' }, signal }),
      )
      return createSuccessResult([])
    },
  })
  const questions = createQuestions()
  const { tools } = await createTools([{ tool, policy: 'unattended' }], {
    questions,
    preliminaryResults: 'none',
  })
  await tools['paint']?.execute({}, { toolCallId: 'c', messages: [], context: undefined })
  expect(answers).toMatchObject([{ action: 'cancel', reason: 'nobody' }])
})

test('a request that ends while its question opens leaves no wait for a secret behind', async () => {
  const questions = createQuestions()
  const page = new AbortController()
  const asked: string[] = []
  const ask = createQuestionPort(questions, {
    conversation: 'chat-1',
    getDefinition: () => 'd',
    show: ({ id, state }) => {
      asked.push(state)
      if (state === 'open') page.abort()
      // The wait begins in the same step.
      expect(questions.waiting.has(id)).toBe(false)
    },
    useAnswer: async () => true,
  })
  const secret = { ...COLOR, schema: { type: 'string', format: 'password' } }
  const source = { kind: 'question', call: { id: 'c', name: 'paint', arguments: {} } } as const
  const answer = await ask(secret, { blocks: [], source, signal: page.signal })
  expect(answer).toMatchObject({ action: 'cancel' })
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
  expect([...questions.waiting]).toEqual([])
  expect(asked).toEqual(['open', 'withdrawn'])
})
