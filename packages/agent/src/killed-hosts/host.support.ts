// Runs turns in conversations that other hosts share, until all are completed: node host.support.ts JOB (see HostJob)
import {
  type ConversationStore,
  openStore,
  readHistory,
  StoreError,
} from '@toolblocks/conversation-store'
import {
  booleanQuestion,
  createSuccessResult,
  type Tool,
  type ToolCall,
  type ToolResult,
} from '@toolblocks/protocol'
import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createAgent } from '../create-agent.ts'
import { ConversationHeld } from '../hold-conversation.ts'
import type { Model } from '../model.ts'
import { ConversationConflict, openConversation } from '../open-conversation.ts'

/** The work of one host. */
export interface HostJob {
  url: string
  /** The name of the host, the same after a restart. */
  name: string
  /** The number of its turns. Turn `n` has the message `NAME n`. */
  turns: number
  /** The number of conversations that all hosts share. */
  conversations: number
  /** A file that receives the id of each call that a tool carries out. */
  effects: string
  /** `park`: a turn with an open question ends, and is continued later. `wait`: the host waits for the answer. */
  whenUnanswered: 'park' | 'wait'
  /** Whether the host takes the lease of a killed host of this machine at once. */
  seesProcesses: boolean
}

/** Milliseconds of a lease. */
const DURATION_MS = 1500

/** The conversation of a turn. */
function chooseConversation({ name, conversations }: HostJob, turn: number): string {
  return `c${(turn * 31 + name.length * 7 + (name.at(-1)?.charCodeAt(0) ?? 0)) % conversations}`
}

/** Makes calls after a message, and is done when it has results. */
const model: Model = async function* answer({ messages }) {
  const last = messages.at(-1)
  const [block] = last?.role === 'user' ? last.content : []
  const message = block?.type === 'text' ? block.text : undefined
  const calls = message === undefined ? [] : chooseCalls(message)
  const content = message === undefined ? [{ type: 'text' as const, text: 'Done.' }] : []
  yield { type: 'message', message: { role: 'assistant', content, calls } }
}

/** Every turn looks; some also ask a question or need an approval. */
function chooseCalls(message: string): readonly ToolCall[] {
  const turn = Number(message.split(' ')[1])
  const names = ['look', ...(turn % 5 === 0 ? ['send'] : []), ...(turn % 7 === 0 ? ['delete'] : [])]
  return names.map((name) => ({ id: `${name} ${message}`, name, arguments: {} }))
}

const sure = booleanQuestion({ id: 'sure', text: 'Really delete it?' })

function createWorker(name: string, effects: string): Tool {
  return {
    name,
    inputSchema: { type: 'object' },
    execute: async ({ id }, { answers }): Promise<ToolResult> => {
      if (name === 'delete' && answers['sure'] === undefined)
        return createSuccessResult([{ type: 'question', question: sure }])
      appendFileSync(effects, `${id}\n`)
      return createSuccessResult([{ type: 'text', text: `${name} did it` }])
    },
  }
}

/** Whether the process of another host on this machine has ended. */
function hasEnded(holder: string): boolean {
  try {
    process.kill(Number(holder.split(' ')[1]), 0)
    return false
  } catch {
    return true
  }
}

async function openWhenReachable(url: string): Promise<ConversationStore> {
  for (;;) {
    const store = await openStore(url).catch(retryLater)
    if (store) return store
    await pause(100)
  }
}

async function runHost(job: HostJob): Promise<void> {
  const store = await openWhenReachable(job.url)
  const tools = ['look', 'send', 'delete'].map((name) => {
    const policy = name === 'send' ? ('ask' as const) : ('unattended' as const)
    return { tool: createWorker(name, job.effects), policy }
  })

  /** Continues the last turn of the conversation, or begins this one. Resolves to whether this one has ended. */
  async function attempt(turn: number): Promise<boolean> {
    const conversation = await openConversation(store, chooseConversation(job, turn))
    const agent = createAgent({
      root: '/',
      model,
      conversation,
      tools: () => tools,
      waiting: { whenUnanswered: job.whenUnanswered },
      host: {
        holder: `${job.name} ${process.pid}`,
        durationMs: DURATION_MS,
        ...(job.seesProcesses && { isGone: hasEnded }),
      },
    })
    const { signal } = new AbortController()
    const text = `${job.name} ${turn}`
    const resumed = await agent.resumeTurn({ signal })
    if (resumed !== undefined && resumed !== 'completed') return false
    const isKnown = readHistory(conversation.events()).entries.some(
      ({ event }) =>
        event.type === 'user_message' &&
        event.content.some((block) => block.type === 'text' && block.text === text),
    )
    if (isKnown) return true
    return (await agent.runTurn([{ type: 'text', text }], { signal })) === 'completed'
  }

  for (let turn = 0; turn < job.turns; turn += 1) {
    while (!(await attempt(turn).catch(retryLater))) await pause(5 + Math.random() * 20)
  }
  await store.close()
}

const CUT: ReadonlySet<string> = new Set(['cannot-open', 'failed', 'busy'])

/** Another host has the conversation, or the connection was cut: the turn is tried again. */
function retryLater(error: unknown): false {
  const isCut = error instanceof StoreError && CUT.has(error.code)
  if (isCut || error instanceof ConversationHeld || error instanceof ConversationConflict)
    return false
  throw error
}

await runHost(JSON.parse(process.argv[2] ?? ''))
