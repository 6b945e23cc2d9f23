import { limitTime, requireArguments } from '@toolblocks/protocol/internal'
import type { ModelRequest } from '@toolblocks/formatter'
import {
  type ContentBlock,
  createErrorResult,
  createSuccessResult,
  type JsonObject,
  type Tool,
  type ToolCall,
  type ToolDefinition,
  type ToolResult,
} from '@toolblocks/protocol'
import { type Model, ModelError, type ModelMessageEvent } from './model.ts'
import { DELEGATE } from './names.ts'
import type { Conversation } from './open-conversation.ts'
import type { OnTurnEvent, TurnEnd } from './run-turn.ts'

/** An agent to which a model may delegate work. */
export interface AgentDefinition {
  /** What the agent does. The model chooses the agent by this text. */
  summary: string
  /** Instructions (system prompt) of its conversation. Default: those of the person's conversation. */
  instructions?: string
  /** Names of the tools that it may call, from the tools of the delegating conversation. Default: all of them. */
  tools?: readonly string[]
  /** The name of another model, for `openModel`. Default: the model of the delegating conversation. */
  model?: string
  /** Maximum tokens of one response. Default: as in the person's conversation. */
  maxOutputTokens?: number
  /** Maximum tokens of all its requests and responses together. Default: no limit. */
  maxTokens?: number
  /** Milliseconds after which the agent is stopped, without the time it waits for a person. Default: 600,000. */
  timeoutMs?: number
  /** Maximum number of agents above this one, itself included. Default: 1; only the person's conversation may start it. */
  maxDepth?: number
}

/** A conversation of an agent. */
interface LedConversation {
  conversation: Conversation
  /** Tokens used until now. */
  tokens(): number
  /** Works on the task, or continues the work of an earlier host. */
  play(task: string, turn: { signal: AbortSignal; show: OnTurnEvent }): Promise<TurnEnd>
  close(): Promise<void>
}

/** Starts an agent for a call. `pausedFor` wraps each wait for a person, because that time does not count for the agent. */
export type StartAgent = (
  name: string,
  definition: AgentDefinition,
  started: { call: string; pausedFor: TimeLimit['pausedFor'] },
) => Promise<{ ok: true; led: LedConversation } | { ok: false; message: string }>

const DEFAULT_TIMEOUT_MS = 600_000

/** Agents to which the model may delegate work, by name. */
type Agents = Readonly<Record<string, AgentDefinition>>

/** Returns the agents that may be started at this depth below the person's conversation. */
export function agentsAt(agents: Agents, depth: number): Agents {
  return Object.fromEntries(
    Object.entries(agents).filter(([, { maxDepth = 1 }]) => depth <= maxDepth),
  )
}

/** Returns the definition of the tool `delegate` for the person's conversation; `undefined` if no agent can be started there. */
export function defineDelegateTool(agents: Agents): ToolDefinition | undefined {
  requireArguments('defineDelegateTool(agents)', [agents, 'object'])
  const startable = agentsAt(agents, 1)
  return Object.keys(startable).length === 0 ? undefined : describe(startable)
}

/** Creates the tool `delegate`. A call runs an agent in a conversation of its own, and the agent's last message is the result. */
export function createDelegateTool(options: {
  /** The agents that can be started here; at least one. */
  agents: Agents
  start: StartAgent
  /** The id of the delegating conversation. */
  conversation: string
  show: OnTurnEvent
  /** Called when the agent of a call waits for a person in the store. It ends the call, whose result is then not used. */
  park: (call: string) => void
}): Tool {
  const { agents, start, conversation: parent, show, park } = options
  return {
    ...describe(agents),
    execute: async (call, { signal }) => {
      const name = String(call.arguments['agent'])
      const agent = Object.hasOwn(agents, name) ? agents[name] : undefined
      if (!agent) return createErrorResult(`There is no agent "${name}".`)
      const limit = startTimeLimit(agent.timeoutMs ?? DEFAULT_TIMEOUT_MS)
      try {
        const { pausedFor } = limit
        const started = await start(name, agent, { call: call.id, pausedFor })
        if (!started.ok)
          return createErrorResult(`The agent "${name}" could not be started: ${started.message}.`)
        return await runDelegate(started.led, {
          call,
          name,
          agent,
          parent,
          signal: AbortSignal.any([signal, limit.signal]),
          isTimeOver: () => limit.signal.aborted,
          park: () => park(call.id),
          show: async (moment) => await show({ type: 'delegated', agent: name, moment }),
        })
      } finally {
        limit.clear()
      }
    },
  }
}

function describe(agents: Agents): ToolDefinition {
  const lines = Object.entries(agents).map(([name, { summary }]) => `- ${name}: ${summary}`)
  return {
    name: DELEGATE,
    summary: `Delegates work to an agent. The agent has its own conversation and knows only the task that it is given; its last message is the result.\n${lines.join('\n')}`,
    inputSchema: {
      type: 'object',
      properties: {
        agent: {
          type: 'string',
          enum: Object.keys(agents),
          description: 'The agent that does the work.',
        },
        task: {
          type: 'string',
          minLength: 1,
          description: 'Everything that the agent needs to know, and what its answer must contain.',
        },
      },
      required: ['agent', 'task'],
      additionalProperties: false,
    },
  }
}

interface Leading {
  call: ToolCall
  name: string
  agent: AgentDefinition
  parent: string
  signal: AbortSignal
  isTimeOver(): boolean
  park(): void
  show: OnTurnEvent
}

/** Runs or continues the agent in its own conversation. The first event of that conversation names the call that started it. */
async function runDelegate(led: LedConversation, leading: Leading): Promise<ToolResult> {
  const { call, name, agent, parent, signal, show } = leading
  const known = { conversationId: led.conversation.id, agent: name }
  try {
    const { model, tools, instructions } = agent
    const values: JsonObject = {
      agent: name,
      ...(model !== undefined && { model }),
      ...(tools && { tools: [...tools] }),
      ...(instructions !== undefined && { instructions }),
      parent: { conversationId: parent, callId: call.id },
    }
    if (led.conversation.events().length === 0)
      await led.conversation.record({ type: 'configuration', values })
    const end = await led.play(String(call.arguments['task']), { signal, show })
    if (end === 'parked') leading.park()
    return conclude(end, led, leading)
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    return createErrorResult(`The agent "${name}" was stopped: ${error.message}.`, undefined, {
      ...known,
      tokens: led.tokens(),
    })
  } finally {
    await led.close()
  }
}

function conclude(
  end: TurnEnd,
  led: LedConversation,
  { name, agent, isTimeOver }: Leading,
): ToolResult {
  const metadata = {
    conversationId: led.conversation.id,
    agent: name,
    tokens: led.tokens(),
  }
  const fail = (why: string, outcome: 'failed' | 'timeout' | 'cancelled'): ToolResult =>
    createErrorResult(`The agent "${name}" ${why}.`, undefined, { ...metadata, outcome })
  switch (end) {
    case 'completed': {
      const content = lastWords(led.conversation)
      return content.length === 0
        ? fail('ended without an answer', 'failed')
        : createSuccessResult(content, undefined, metadata)
    }
    case 'aborted': {
      const seconds = (agent.timeoutMs ?? DEFAULT_TIMEOUT_MS) / 1000
      return isTimeOver()
        ? fail(`was stopped after ${seconds} seconds; its effects so far remain`, 'timeout')
        : fail('was stopped; its effects so far remain', 'cancelled')
    }
    case 'too-long':
      return fail('kept calling tools and was stopped', 'failed')
    case 'cut':
      return fail('was stopped, because its responses were truncated', 'failed')
    case 'parked':
      return fail('waits for a person', 'cancelled')
  }
}

function lastWords(conversation: Conversation): readonly ContentBlock[] {
  const last = conversation.events().findLast(({ event }) => event.type === 'assistant_message')
  return last?.event.type === 'assistant_message' ? last.event.content : []
}

/** Ends work after a time, without the time spent waiting for people. */
interface TimeLimit {
  /** Aborts when the time is over. */
  signal: AbortSignal
  /** Stops the clock until the wait settles. */
  pausedFor<Value>(wait: () => Promise<Value>): Promise<Value>
  /** Removes the limit. */
  clear(): void
}

/** Starts a time limit in milliseconds. */
export function startTimeLimit(ms: number): TimeLimit {
  const end = new AbortController()
  const start = (left: number): (() => number) => limitTime(left, () => end.abort())
  let stop = start(ms)
  let left = ms
  let waits = 0

  function pause(): void {
    waits += 1
    if (waits === 1) left = stop()
  }

  function resume(): void {
    waits -= 1
    if (waits === 0) stop = start(left)
  }

  return {
    signal: end.signal,
    pausedFor: async (wait) => {
      pause()
      return await wait().finally(resume)
    },
    clear: () => {
      stop()
      waits = Infinity
    },
  }
}

/**
 * Counts the tokens of a model: the provider's numbers, or an estimate from the length if the provider gives no numbers. Refuses the next request
 * once the limit is exceeded.
 */
export function countTokens(
  model: Model,
  most = Infinity,
): { model: Model; /** Tokens until now. */ tokens: () => number } {
  let taken = 0
  return {
    model: async function* answer(request, signal) {
      if (taken >= most)
        throw new ModelError(
          'refused',
          `it has used ${taken.toLocaleString('en')} tokens, and its limit is ${most.toLocaleString('en')}`,
        )
      for await (const event of model(request, signal)) {
        if (event.type === 'message') taken += tokensTaken(request, event)
        yield event
      }
    },
    tokens: () => taken,
  }
}

function tokensTaken(request: ModelRequest, { message, usage }: ModelMessageEvent): number {
  const { inputTokens = estimate(request), outputTokens = estimate(message) } = usage ?? {}
  return inputTokens + outputTokens
}

/** English text and code have about four characters for each token. */
const CHARACTERS_PER_TOKEN = 4

function estimate(output: object): number {
  return Math.round(JSON.stringify(output).length / CHARACTERS_PER_TOKEN)
}
