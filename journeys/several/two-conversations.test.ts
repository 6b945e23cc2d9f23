import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createAgent, createScriptedModel, openConversation } from '@toolblocks/agent'
import { createQuestions, toAiSdkTools, type ToolblocksUIMessage } from '@toolblocks/ai-sdk'
import { openStore } from '@toolblocks/conversation-store'
import { answerPendingQuestion, listPendingQuestions } from '@toolblocks/inquiry/pending'
import { createSuccessResult, isToolResult, type Tool } from '@toolblocks/protocol'
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
import { expect, onTestFinished, test, vi } from 'vitest'
import { startProvider } from '../stage/provider.ts'

const NAMES = ['ann', 'bob'] as const
type Name = (typeof NAMES)[number]

/** Asks for a color in the name of who calls, shows their private text, and then says the answer. */
const paint: Tool = {
  name: 'paint',
  inputSchema: { type: 'object', properties: { of: { type: 'string' } } },
  execute: async ({ arguments: { of } }, { answers }) =>
    createSuccessResult(
      answers['color'] === undefined
        ? [
            { type: 'text', text: `private text of ${String(of)}` },
            {
              type: 'question',
              question: {
                id: 'color',
                text: `Which color for ${String(of)}?`,
                schema: { type: 'string', minLength: 2 },
              },
            },
          ]
        : [{ type: 'text', text: `${String(of)} has ${JSON.stringify(answers['color'])}` }],
    ),
}

/** Whether everything that one side received is its own. */
function expectOwn(name: Name, received: readonly unknown[]): void {
  const other = name === 'ann' ? 'bob' : 'ann'
  expect(received.length).toBeGreaterThan(0)
  for (const each of received) expect(JSON.stringify(each)).not.toContain(other)
}

/** An application: one store, one executor and one set of questions for all its conversations. The models give their calls the same ids. */
async function startApplication({ stored }: { stored: boolean }) {
  const store = await openStore('memory:')
  const executor = createToolExecutor({ tools: [{ tool: paint, policy: 'ask' }] })
  const questions = createQuestions(stored ? { storage: store.documents } : {})
  onTestFinished(async () => {
    await executor.close()
    await store.close()
  })

  async function startChat(name: Name) {
    const provider = await startProvider([
      { calls: [['paint', { of: name }]] },
      { text: `Done for ${name}.` },
    ])
    const model = createOpenAICompatible({ name: 'local', baseURL: provider.url })('m')
    /** Every state of every message that the page of this chat received. */
    const seen: ToolblocksUIMessage[] = []
    async function send(messages: ToolblocksUIMessage[]): Promise<ToolblocksUIMessage> {
      const last = messages.findLast(({ role }) => role === 'assistant')
      const stream = createUIMessageStream<ToolblocksUIMessage>({
        originalMessages: messages,
        execute: async ({ writer }) => {
          const { tools, toolApproval, prepareModel, resumeCalls } = toAiSdkTools(executor, {
            context: { root: '/', conversationId: name },
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
          })
          writer.merge(toUIMessageStream({ stream: turn.fullStream }))
        },
      })
      const message = last && structuredClone(last)
      for await (const state of readUIMessageStream({ stream, ...(message && { message }) }))
        seen.push(structuredClone(state))
      const lastState = seen.at(-1)
      if (!lastState) throw new Error('the page received no message')
      return lastState
    }
    const hello: ToolblocksUIMessage = {
      id: 'u',
      role: 'user',
      parts: [{ type: 'text', text: `Paint for ${name}.` }],
    }
    const asked = await send([hello])
    const call = asked.parts.find(isToolUIPart)
    if (call?.state !== 'approval-requested') throw new Error('the page asks for no approval')
    return { provider, seen, send, hello, asked, call }
  }
  return { questions, startChat }
}

/** Allows the call that a page asks about, as `useChat` does. */
function allow(asked: ToolblocksUIMessage): ToolblocksUIMessage {
  const allowed = structuredClone(asked)
  const call = allowed.parts.find(isToolUIPart)
  if (call?.state !== 'approval-requested') throw new Error('the page asks for no approval')
  Object.assign(call, {
    state: 'approval-responded',
    approval: { ...call.approval, approved: true },
  })
  return allowed
}

test.for([true, false])(
  'promise several conversations: two chats of one application ask at the same time, and each gets only its own answers (questions in a store: %s)',
  async (stored) => {
    const { questions, startChat } = await startApplication({ stored })
    const [ann, bob] = [await startChat('ann'), await startChat('bob')]
    expect(ann.call.toolCallId).toBe(bob.call.toolCallId)
    const running = [ann, bob].map(
      async ({ send, hello, asked }) => await send([hello, allow(asked)]),
    )
    // Ann does not answer, and Bob is asked all the same.
    await vi.waitFor(async () => {
      for (const name of NAMES) expect(await questions.list(name)).toHaveLength(1)
    })
    const [[ofAnn], [ofBob]] = [await questions.list('ann'), await questions.list('bob')]
    if (!ofAnn || !ofBob) throw new Error('a question is missing')
    expectOwn('ann', [ofAnn])
    expectOwn('bob', [ofBob])
    const answer = (value: string) => ({
      answer: { action: 'accept', value } as const,
      by: 'page',
    })
    // Bob knows the id of Ann’s question.
    const stolen = { conversation: 'bob', id: ofAnn.id }
    expect(await questions.answer(stolen, answer('stolen by bob'))).toEqual({
      ok: false,
      why: 'unknown',
    })
    expect(
      await questions.answer({ conversation: 'bob', id: ofBob.id }, answer('red of bob')),
    ).toMatchObject({ ok: true })
    await running[1]
    expect(await questions.list('ann')).toEqual([ofAnn])
    await questions.answer({ conversation: 'ann', id: ofAnn.id }, answer('green of ann'))
    await running[0]
    // Nor does he learn the answer.
    expect(await questions.answer(stolen, answer('again'))).toEqual({ ok: false, why: 'unknown' })
    for (const [name, chat, color] of [
      ['ann', ann, 'green of ann'],
      ['bob', bob, 'red of bob'],
    ] as const) {
      expectOwn(name, chat.seen)
      expectOwn(name, chat.provider.requests)
      expect(chat.provider.results()).toEqual([`${name} has "${color}"`])
      const output = chat.seen.at(-1)?.parts.find(isToolUIPart)?.output
      expect(isToolResult(output) && output.content).toMatchObject([
        { text: `${name} has "${color}"` },
      ])
    }
  },
)

test('promise several conversations: an approval of one conversation runs nothing in another one', async () => {
  const { questions, startChat } = await startApplication({ stored: true })
  const [ann, bob] = [await startChat('ann'), await startChat('bob')]
  // Bob’s page sends the messages of Ann’s conversation with her approval.
  const forged = await bob.send([ann.hello, allow(ann.asked)])
  expect(forged.parts.find(isToolUIPart)?.state).toBe('output-denied')
  expect(JSON.stringify(bob.provider.requests.at(-1))).toContain('The approval does not count')
  expect(await questions.list('bob')).toEqual([])
  // Ann’s approval was not used up.
  const running = ann.send([ann.hello, allow(ann.asked)])
  await vi.waitFor(async () => expect(await questions.list('ann')).toHaveLength(1))
  const [question] = await questions.list('ann')
  const settlement = { answer: { action: 'accept', value: 'green of ann' }, by: 'page' } as const
  await questions.answer({ conversation: 'ann', id: question?.id ?? '' }, settlement)
  expect((await running).parts.find(isToolUIPart)?.state).toBe('output-available')
  expectOwn('ann', ann.provider.requests)
})

test('promise several conversations: two agents of one program ask the same port at the same time, which is told whose question it is', async () => {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  const asked: Record<string, string[]> = { ann: [], bob: [] }
  const decided: Record<string, string[]> = { ann: [], bob: [] }
  const both = Promise.withResolvers<void>()
  const shownEvents: Record<Name, unknown[]> = { ann: [], bob: [] }
  const run = async (name: Name): Promise<void> => {
    const agent = createAgent({
      model: createScriptedModel([
        { text: '', calls: [{ id: 'call-1', name: 'paint', arguments: { of: name } }] },
        { text: `Done for ${name}.`, calls: [] },
      ]),
      conversation: await openConversation(store, name),
      tools: () => [{ tool: paint, policy: 'ask' }],
      root: '/',
      people: {
        approve: async (call, { conversation }) => {
          decided[conversation]?.push(JSON.stringify(call))
          return { decision: 'allowed' }
        },
        user: async ({ text }, { conversation, blocks }) => {
          asked[conversation]?.push(JSON.stringify([text, blocks]))
          if (Object.values(asked).every(({ length }) => length === 1)) both.resolve()
          // Each waits until the other one was asked, too.
          await both.promise
          return { action: 'accept', value: `color of ${conversation}` }
        },
      },
    })
    await agent.runTurn([{ type: 'text', text: `Paint for ${name}.` }], {
      signal: new AbortController().signal,
      show: (event) => void shownEvents[name].push(event),
    })
    await agent.close()
  }
  await Promise.all(NAMES.map(run))
  for (const name of NAMES) {
    expect([asked[name]?.length, decided[name]?.length]).toEqual([1, 1])
    expectOwn(name, [...(asked[name] ?? []), ...(decided[name] ?? []), ...shownEvents[name]])
    const { events } = await store.read(name, { limit: Infinity })
    expectOwn(name, events)
    expect(JSON.stringify(events)).toMatch(new RegExp(`${name} has .*color of ${name}`))
  }
})

test.for([undefined, {}])(
  'promise several conversations: agents to which one agent delegates ask its person one at a time, and the person learns who asks (waiting: %s)',
  async (waiting) => {
    const store = await openStore('memory:')
    onTestFinished(async () => await store.close())
    const asked: string[] = []
    const [begun, open] = [new Set<Name>(), new Set<string>()]
    let most = 0
    const createPainter = (name: Name) =>
      createScriptedModel([
        { text: '', calls: [{ id: 'call-1', name: 'paint', arguments: { of: name } }] },
        { text: `Painted for ${name}.`, calls: [] },
      ])
    const models = new Map<string, ReturnType<typeof createPainter>>(
      NAMES.map((name) => [name, createPainter(name)]),
    )
    const agent = createAgent({
      model: createScriptedModel([
        {
          text: '',
          calls: NAMES.map((name) => ({
            id: `call-${name}`,
            name: 'delegate',
            arguments: { agent: name, task: `Paint for ${name}.` },
          })),
        },
        { text: 'Done.', calls: [] },
      ]),
      conversation: await openConversation(store, 'all'),
      tools: () => [
        {
          tool: {
            ...paint,
            execute: async (call, context) => {
              for (const name of NAMES) if (call.arguments['of'] === name) begun.add(name)
              return await paint.execute(call, context)
            },
          },
          policy: 'unattended',
        },
      ],
      root: '/',
      ...(waiting && { waiting }),
      agents: Object.fromEntries(
        NAMES.map((name) => [name, { summary: `Paints for ${name}.`, model: name }]),
      ),
      openModel: async (name) => {
        const model = models.get(name)
        return model ? { ok: true, model } : { ok: false, message: 'no such model' }
      },
      people: {
        user: async ({ text }, { agents }) => {
          const who = agents.join()
          open.add(who)
          most = Math.max(most, open.size)
          asked.push(`${who}: ${text}`)
          // The other agent has time to ask, too.
          await vi.waitFor(() => expect(begun.size).toBe(2))
          await new Promise((next) => setTimeout(next, 50))
          open.delete(who)
          return { action: 'accept', value: `color of ${who}` }
        },
      },
    })
    const { signal } = new AbortController()
    expect(await agent.runTurn([{ type: 'text', text: 'Paint.' }], { signal })).toBe('completed')
    await agent.close()
    expect(most).toBe(1)
    expect(asked.toSorted()).toEqual(
      NAMES.map((name) => `${name}: Agent ${name}: Which color for ${name}?`),
    )
  },
)

test('promise several conversations: parked agents of one store get only the answers to their own questions', async () => {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  const open = async (name: Name, responses: Parameters<typeof createScriptedModel>[0]) =>
    createAgent({
      model: createScriptedModel(responses),
      conversation: await openConversation(store, name),
      tools: () => [{ tool: paint, policy: 'unattended' }],
      root: '/',
      waiting: { whenUnanswered: 'park' },
    })
  const { signal } = new AbortController()
  await Promise.all(
    NAMES.map(async (name) => {
      const calls = [{ id: 'call-1', name: 'paint', arguments: { of: name } }]
      const agent = await open(name, [{ text: '', calls }])
      expect(await agent.runTurn([{ type: 'text', text: 'Paint.' }], { signal })).toBe('parked')
      await agent.close()
    }),
  )
  const storage = { storage: store.documents }
  const { questions } = await listPendingQuestions({ state: 'open' }, storage)
  const [ofAnn, ofBob] = NAMES.map((name) => questions.find((each) => each.conversation === name))
  if (!ofAnn || !ofBob) throw new Error('a question is missing')
  const createSettlement = (value: string) => ({
    answer: { action: 'accept', value } as const,
    by: 'page',
  })
  expect(
    await answerPendingQuestion(
      { conversation: 'bob', id: ofAnn.id },
      createSettlement('stolen'),
      storage,
    ),
  ).toEqual({ ok: false, why: 'unknown' })
  await answerPendingQuestion(ofBob, createSettlement('color of bob'), storage)
  const waits = await open('ann', [])
  expect(await waits.resumeTurn({ signal })).toBe('parked')
  await waits.close()
  await answerPendingQuestion(ofAnn, createSettlement('color of ann'), storage)
  for (const name of NAMES) {
    const agent = await open(name, [{ text: `Done for ${name}.`, calls: [] }])
    expect(await agent.resumeTurn({ signal })).toBe('completed')
    await agent.close()
    const { events } = await store.read(name, { limit: Infinity })
    expectOwn(name, events)
    expect(JSON.stringify(events)).toMatch(new RegExp(`${name} has .*color of ${name}`))
  }
})
