import {
  type ConversationStore,
  openStore,
  readHistory,
  type StoredEvent,
} from '@toolblocks/conversation-store'
import { answerPendingQuestion, listPendingQuestions } from '@toolblocks/inquiry/pending'
import { createSuccessResult, type Tool, type ToolResult } from '@toolblocks/protocol'
import fc from 'fast-check'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createAgent } from '../create-agent.ts'
import { beginLife, type Death, type Life } from './mortal-host.support.ts'
import type { Model } from '../model.ts'
import { openConversation } from '../open-conversation.ts'
import type { TurnEnd } from '../run-turn.ts'
import { listOpen, storage, sure, text, unattended } from '../waiting.support.ts'

// Hundreds of lives, each of whose steps waits for the disk.
vi.setConfig({ testTimeout: 120_000 })

const CALLS = ['delete', 'send', 'look'].map((name) => ({ id: `of ${name}`, name, arguments: {} }))

/** Makes the calls once, and is done when it has results. A host that continues a conversation has the same model. */
const model: Model = async function* answer({ messages }) {
  const isDone = messages.at(-1)?.role === 'tool'
  const content = isDone ? [text('Done.')] : []
  yield { type: 'message', message: { role: 'assistant', content, calls: isDone ? [] : CALLS } }
}

/** The work of several hosts, one after the other, on one conversation. */
interface Work {
  store: ConversationStore
  /** The tools that did their work, in their order. */
  effects: string[]
}

/** A tool whose work is one step of the life of its host. */
function createWorker(name: string, { effects }: Work, life: Life): Tool {
  return {
    name,
    inputSchema: { type: 'object' },
    execute: async (_call, { answers }): Promise<ToolResult> => {
      if (name === 'delete' && answers['sure'] === undefined)
        return createSuccessResult([{ type: 'question', question: sure }])
      await life.step(() => effects.push(name))
      return createSuccessResult([text(`${name} did it`)])
    },
  }
}

/** Runs or continues the turn on a new host, which may die. */
async function runHost(
  work: Work,
  {
    death,
    ...waiting
  }: { death?: Death; whenUnanswered: 'park' | 'wait'; onOpen?: () => Promise<void> },
): Promise<TurnEnd | 'died' | undefined> {
  const life = beginLife(work.store, death)
  const host = async (): Promise<TurnEnd | undefined> => {
    const conversation = await openConversation(life.store, 'c')
    const tools = CALLS.map(({ name }) => createWorker(name, work, life))
    const agent = createAgent({
      root: '/',
      waiting,
      model,
      conversation,
      host: { holder: crypto.randomUUID(), isGone: () => true },
      tools: () =>
        tools.map((tool) => (tool.name === 'send' ? { tool, policy: 'ask' } : unattended(tool))),
    })
    const turn = { signal: new AbortController().signal }
    return conversation.events().length === 0
      ? await agent.runTurn([text('Go.')], turn)
      : await agent.resumeTurn(turn)
  }
  return await Promise.race([host(), life.died])
}

/** Answers all open questions with yes. Returns their number. */
async function answerAll({ store }: Work): Promise<number> {
  const open = await listOpen(store)
  for (const question of open) {
    const personAnswer = { answer: { action: 'accept', value: true }, by: 'page' } as const
    await answerPendingQuestion(question, personAnswer, storage(store))
  }
  return open.length
}

/** The calls that may have been executed when their host died: those that do not wait for a person in the store, and have no result. */
async function findBegun({ store }: Work): Promise<ReadonlySet<string>> {
  const begun = new Set<string>()
  const { questions } = await listPendingQuestions({}, storage(store))
  const approvals = questions.filter(({ kind }) => kind === 'approval')
  for (const { event } of await readEvents({ store })) {
    if (event.type === 'tool_call' && !approvals.some(({ call }) => call.id === event.call.id))
      begun.add(event.call.id)
    if (event.type === 'approval' && event.decision === 'allowed') begun.add(event.callId)
    if (event.type === 'question') begun.delete(event.callId)
    if (event.type === 'answer' && event.action === 'accept') begun.add(event.callId)
    if (event.type === 'tool_result') begun.delete(event.result.id ?? '')
  }
  return begun
}

async function readEvents({ store }: Pick<Work, 'store'>): Promise<readonly StoredEvent[]> {
  return (await store.read('c', { limit: Infinity })).events
}

/** Lets hosts continue the turn until it has ended, answers what they ask, and checks the whole conversation. */
async function finish(work: Work, begun: ReadonlySet<string>): Promise<void> {
  for (let hosts = 0; ; hosts += 1) {
    expect(hosts).toBeLessThan(5)
    const end = await runHost(work, { whenUnanswered: 'park' })
    if (end === 'completed' || end === undefined) break
    expect(end).toBe('parked')
    expect(await answerAll(work)).toBeGreaterThan(0)
  }
  const events = await readEvents(work)
  expect(events.filter(({ event }) => event.type === 'user_message')).toHaveLength(1)
  expect(readHistory(events).entries.at(-1)?.event.type).toBe('assistant_message')
  const results = events.flatMap(({ event }) => (event.type === 'tool_result' ? event.result : []))
  for (const { id, name } of CALLS) {
    const own = results.filter((result) => result.id === id)
    expect(own).toHaveLength(1)
    const done = work.effects.filter((effect) => effect === name).length
    const isInterrupted = JSON.stringify(own[0]?.content).includes('was interrupted')
    // A call is told as interrupted only if it may have been executed; every other call was executed once.
    expect(done).toBeLessThanOrEqual(1)
    expect({ id, isKnown: isInterrupted ? begun.has(id) : done === 1 }).toEqual({
      id,
      isKnown: true,
    })
  }
  const { questions, unreadable } = await listPendingQuestions({}, storage(work.store))
  expect(unreadable).toEqual([])
  expect(questions.filter(({ state }) => state === 'open')).toEqual([])
  for (const { id } of CALLS)
    expect(
      questions.filter(({ call, state }) => call.id === id && state === 'answered').length,
    ).toBeLessThanOrEqual(1)
}

const engines: readonly [string, () => Promise<ConversationStore>][] = [
  ['memory', async () => await openStore('memory:')],
  [
    'SQLite',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'toolblocks-killed-'))
      onTestFinished(async () => await rm(folder, { recursive: true }))
      return await openStore(`sqlite:${join(folder, 'c.db')}`)
    },
  ],
]

describe.each(engines)('in %s, a host is killed at every step', (_name, open) => {
  /** Repeats a run with a death at each step, until the host no longer reaches it. */
  async function killAtEachStep(
    run: (work: Work, death: Death) => Promise<boolean>,
  ): Promise<void> {
    let deaths = 0
    for (const effect of ['before', 'after'] as const)
      for (let step = 1; ; step += 1) {
        const store = await open()
        const work: Work = { store, effects: [] }
        const isDead = await run(work, { step, effect })
        const begun = await findBegun(work)
        if ((await readEvents(work)).length > 0) await finish(work, begun)
        await store.close()
        if (!isDead) break
        deaths += 1
      }
    expect(deaths).toBeGreaterThanOrEqual(20)
  }

  test('while it asks and parks', async () => {
    await killAtEachStep(
      async (work, death) => (await runHost(work, { whenUnanswered: 'park', death })) === 'died',
    )
  })
  test('while it continues with the answers', async () => {
    await killAtEachStep(async (work, death) => {
      await runHost(work, { whenUnanswered: 'park' })
      await answerAll(work)
      return (await runHost(work, { whenUnanswered: 'park', death })) === 'died'
    })
  })
  test('while it waits and people answer', async () => {
    await killAtEachStep(async (work, death) => {
      const host = runHost(work, { whenUnanswered: 'wait', death })
      for (;;) {
        const ended = await Promise.race([host, new Promise((next) => setTimeout(next, 2))])
        if (ended !== undefined) return ended === 'died'
        await answerAll(work)
      }
    })
  })
})

test('several hosts are killed one after the other', async () => {
  const deaths = fc.array(
    fc.record({
      step: fc.integer({ min: 1, max: 14 }),
      effect: fc.constantFrom('before', 'after'),
    }),
    { minLength: 2, maxLength: 5 },
  )
  await fc.assert(
    fc.asyncProperty(deaths, async (killed) => {
      const work: Work = { store: await openStore('memory:'), effects: [] }
      const begun = new Set<string>()
      for (const death of killed) {
        await runHost(work, { whenUnanswered: 'park', death })
        for (const id of await findBegun(work)) begun.add(id)
        await answerAll(work)
      }
      await finish(work, begun)
      await work.store.close()
    }),
    { numRuns: 200 },
  )
})
