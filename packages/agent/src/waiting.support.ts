import { type ConversationStore, openStore } from '@toolblocks/conversation-store'
import {
  type AnswerResult,
  type PendingOptions,
  answerPendingQuestion,
  listPendingQuestions,
  type PendingQuestion,
} from '@toolblocks/inquiry/pending'
import {
  booleanQuestion,
  createSuccessResult,
  type InputRequest,
  type JsonValue,
  type Tool,
  type ToolContext,
  type ToolResult,
} from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { onTestFinished } from 'vitest'
import type { Agent } from './agent.ts'
import { type AgentOptions, createAgent } from './create-agent.ts'
import { openConversation } from './open-conversation.ts'
import { createScriptedModel, type ScriptedTurn } from './scripted-model.ts'
import { withSlowWrites } from './slow-store.support.ts'

export const { signal } = new AbortController()
export const go = [{ type: 'text', text: 'Go.' }] as const
export const text = (value: string) => ({ type: 'text', text: value }) as const

export const sure = booleanQuestion({ id: 'sure', text: 'Really delete it?' })

/** A tool that asks the questions until each has an answer, and then says the answers. */
export function createAsker(
  name: string,
  questions: readonly InputRequest[],
): { tool: Tool; runs: ToolContext['answers'][] } {
  const runs: ToolContext['answers'][] = []
  const tool: Tool = {
    name,
    inputSchema: { type: 'object' },
    execute: async (_call, { answers }): Promise<ToolResult> => {
      runs.push(answers)
      const open = questions.filter(({ id }) => !Object.hasOwn(answers, id))
      const asked = open.map((question) => ({ type: 'question', question }) as const)
      if (open.length > 0) return createSuccessResult([text(`about ${name}`), ...asked])
      return createSuccessResult([text(`did it: ${JSON.stringify(answers)}`)])
    },
  }
  return { tool, runs }
}

export const call = (name: string): ScriptedTurn['calls'][number] => ({
  id: `of ${name}`,
  name,
  arguments: { path: 'a.txt' },
})

export async function openMemory(): Promise<ConversationStore> {
  const store = withSlowWrites(await openStore('memory:'))
  onTestFinished(async () => await store.close())
  return store
}

/** A host that begins after others: what the model says, with the tools, and how questions wait. */
export interface Host extends Partial<Omit<AgentOptions, 'tools' | 'conversation'>> {
  says?: readonly ScriptedTurn[]
  tools: readonly ToolEntry[]
}

export const PARK = { whenUnanswered: 'park' } as const

export async function startHost(
  store: ConversationStore,
  { says, tools, ...rest }: Host,
): Promise<Agent> {
  return createAgent({
    root: '/',
    waiting: PARK,
    model: createScriptedModel(says ?? [{ text: 'Done.', calls: [] }]),
    ...rest,
    conversation: await openConversation(store, 'c'),
    tools: () => tools,
  })
}

export function storage(store: ConversationStore): PendingOptions {
  return { storage: store.documents }
}

export async function listOpen(store: ConversationStore): Promise<readonly PendingQuestion[]> {
  return (await listPendingQuestions({ state: 'open' }, storage(store))).questions
}

export async function answer(
  store: ConversationStore,
  value: JsonValue,
  by = 'page',
): Promise<AnswerResult> {
  const [question] = await listOpen(store)
  return await answerPendingQuestion(
    { conversation: question?.conversation ?? '', id: question?.id ?? '' },
    { answer: { action: 'accept', value }, by },
    storage(store),
  )
}

/** The events of the conversation in short. */
export async function readStory(store: ConversationStore): Promise<readonly string[]> {
  const { events } = await store.read('c', { limit: Infinity })
  return events.flatMap(({ event }) => {
    switch (event.type) {
      case 'question':
        return `question ${event.question.id}`
      case 'answer':
        return `answer ${event.action === 'cancel' ? event.reason : event.action}`
      case 'approval':
        return event.decision
      case 'tool_result':
        return `${event.result.id}: ${event.result.metadata?.outcome}`
      case 'delivery':
      case 'turn_start':
        return []
      case 'user_message':
      case 'assistant_message':
      case 'tool_call':
      case 'configuration':
      case 'compaction':
      case 'rewind':
      case 'unknown':
        return event.type
    }
  })
}

export const unattended = (tool: Tool): ToolEntry => ({ tool, policy: 'unattended' })
export const deleting = [{ text: '', calls: [call('delete')] }]
