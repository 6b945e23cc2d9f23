import { openStore } from '@toolblocks/conversation-store'
import {
  type Answer,
  booleanQuestion,
  type JsonValue,
  type QuestionContext,
  type ToolResult,
} from '@toolblocks/protocol'
import { expect, onTestFinished } from 'vitest'
import {
  createPendingPorts,
  type PendingPorts,
  type PendingPortsOptions,
} from './create-pending-ports.ts'
import type { PendingQuestion } from './pending-question.ts'
import {
  answerPendingQuestion,
  listPendingQuestions,
  type PendingOptions,
  type QuestionStorage,
} from './pending-questions.ts'

type Material = { formatted?: ToolResult; entry?: { server?: string } }
type Options = PendingPortsOptions<Material>

export const call = { id: 'call-1', name: 'delete', arguments: { path: 'a.txt' } }
export const sure = booleanQuestion({ id: 'sure', text: 'Delete it?' })
export const yes: Answer = { action: 'accept', value: true }
export const { signal: never } = new AbortController()
export const text = (value: string) => ({ type: 'text', text: value }) as const

export async function letOthersWork(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
}

/** A storage with slow writes, like a database elsewhere, and the signals of those who wait for a change. */
export async function openStorage(): Promise<PendingOptions & { waits: AbortSignal[] }> {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  const waits: AbortSignal[] = []
  const storage: QuestionStorage = {
    ...store.documents,
    write: async (document) => {
      await letOthersWork()
      return await store.documents.write(document)
    },
    changed: async (collection, id, version, signal) => {
      waits.push(signal)
      await store.documents.changed(collection, id, version, signal)
      // As a request over a network ends.
      signal.throwIfAborted()
    },
  }
  return { storage, waits }
}

/** Ports, and the questions that their host was told of. */
interface OpenedPorts extends PendingPorts<Material> {
  opened: PendingQuestion[]
  still: PendingQuestion[]
  elsewhere: PendingQuestion[]
  parked: PendingQuestion[]
}

export function openPorts(pending: PendingOptions, overrides: Partial<Options> = {}): OpenedPorts {
  const seen: Omit<OpenedPorts, keyof PendingPorts<Material>> = {
    opened: [],
    still: [],
    elsewhere: [],
    parked: [],
  }
  const { waiting, ...options } = overrides
  const ports = createPendingPorts<Material>({
    pending,
    conversation: 'c',
    turn: 3,
    agents: [],
    host: 'one',
    people: {},
    getDefinition: (tool) => `definition of ${tool}`,
    earlier: [],
    park: (question) => void seen.parked.push(question),
    ...options,
    waiting: {
      onOpen: (question) => void seen.opened.push(question),
      onStillOpen: (question) => void seen.still.push(question),
      onSettledElsewhere: (question) => void seen.elsewhere.push(question),
      ...waiting,
    },
  })
  return { ...ports, ...seen }
}

export const context = (overrides: Partial<QuestionContext> = {}): QuestionContext => ({
  blocks: [text('before it')],
  source: { kind: 'question', call },
  signal: never,
  ...overrides,
})

export async function list(pending: PendingOptions): Promise<readonly PendingQuestion[]> {
  return (await listPendingQuestions({}, pending)).questions
}

export async function answerElsewhere(
  pending: PendingOptions,
  { id, conversation }: PendingQuestion,
  value: JsonValue = true,
): Promise<void> {
  const personAnswer = { answer: { action: 'accept', value }, by: 'page' } as const
  const { ok } = await answerPendingQuestion({ id, conversation }, personAnswer, pending)
  expect(ok).toBe(true)
}

/** A person who is asked and answers later. `asked`: settles with the signal of the question. */
interface LatePerson<Value> {
  asked: Promise<AbortSignal>
  answer: (value: Value) => void
  fail: (reason: Error) => void
  user: (request: unknown, context: { signal: AbortSignal }) => Promise<Value>
}

export function startPerson<Value>(): LatePerson<Value> {
  const asked = Promise.withResolvers<AbortSignal>()
  const answer = Promise.withResolvers<Value>()
  return {
    asked: asked.promise,
    answer: answer.resolve,
    fail: answer.reject,
    user: async (_request, { signal }) => {
      asked.resolve(signal)
      return await answer.promise
    },
  }
}
