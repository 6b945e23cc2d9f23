import { randomUUID } from 'node:crypto'
import { createReadToolResult } from '@toolblocks/conversation-store'
import type { FormatOptions, ModelProfile } from '@toolblocks/formatter'
import type {
  AnswerQuestion,
  Approval,
  CallContext,
  ContentBlock,
  ToolCall,
} from '@toolblocks/protocol'
import {
  type AllowCall,
  type ApproveCall,
  type WrapWait,
  createToolExecutor,
  type ToolEntry,
} from '@toolblocks/tool-executor'
import { createModelAnswerer, type OpenModel } from './answer-by-model.ts'
import { buildMessagesDuringCalls } from './build-messages.ts'
import {
  type AgentDefinition,
  agentsAt,
  countTokens,
  createDelegateTool,
  type StartAgent,
} from './delegate.ts'
import type { DeliveryLimits } from './deliver-results.ts'
import type { Model, ModelSettings } from './model.ts'
import { type Conversation, openConversation } from './open-conversation.ts'
import { type CallCancellation, runTurn, type OnTurnEvent, type TurnEnd } from './run-turn.ts'

/** A model, and what it takes. */
export interface ModelWithProfile {
  model: Model
  /** Default: nobody knows, and it is pointed to no media that it was given before. */
  profile?: ModelProfile
}

/** Whose call it is that somebody decides about. */
export interface CallOrigin {
  /** The id of the conversation. */
  conversation: string
  /** The agents by which it was started, the outermost first; empty where the call is of the conversation's own model. */
  agents: readonly string[]
}

/** Who is there to decide and to answer. */
export interface AgentPorts {
  /** Answers the questions of tools. Absent: there is nobody. */
  user?: AnswerQuestion
  /** Whether a call of policy `ask` runs without a person being asked; as `AllowCall`. Default: none does. */
  allow?: (call: ToolCall, material: Parameters<AllowCall>[1] & CallOrigin) => Promise<boolean>
  /** Decides about a call of policy `ask`; as `ApproveCall`. Absent: such calls are denied. */
  approve?: (
    call: ToolCall,
    material: Parameters<ApproveCall>[1] & CallOrigin,
  ) => Promise<Approval & { by?: 'rule' }>
}

/** What an agent works with. */
export interface AgentOptions extends ModelWithProfile {
  /** From `openConversation`. Its store is left open. */
  conversation: Conversation
  /** The tools that a turn may call; read as each turn begins. `read_tool_result`, and `delegate` where there are agents, come to them. */
  tools: () => readonly ToolEntry[] | Promise<readonly ToolEntry[]>
  /** The absolute path of the folder that tools work in. */
  root: string
  /** Who answers and approves. Default: nobody, so that questions are cancelled and calls that need approval are denied. */
  people?: AgentPorts
  /** How the model is asked. Default: as its provider decides. */
  settings?: ModelSettings
  /** How results are written for the model. */
  format?: FormatOptions
  /** How much of them it is given. Default: all of what it does not have yet. */
  delivery?: DeliveryLimits
  /** Opens another model, by its name: for agents, and for questions that are routed to one. Absent: there are no others. */
  openModel?: OpenModel
  /** Agents that the model may hand work over to, by their names. */
  agents?: Readonly<Record<string, AgentDefinition>>
}

/** A model with its tools and a conversation. */
export interface Agent {
  /** Plays one turn; see `runTurn`. One turn at a time. */
  play(
    content: readonly ContentBlock[],
    turn: { signal: AbortSignal; show?: OnTurnEvent; callsStop?: CallCancellation },
  ): Promise<TurnEnd>
  /** Asks another model from the next turn on. */
  use(model: ModelWithProfile): void
  /** Ends the live calls of tools. */
  close(): Promise<void>
}

/** Where an agent stands among those that start each other. */
interface Place {
  /** The agents above it, the outermost first. */
  agents: readonly string[]
  /** Settings of the conversation of the person: for every agent what its own definition says nothing of, whoever has started it. */
  settings: ModelSettings
  /** Put around each wait for a person: for the calls of the agents above. */
  aroundWait: <Value>(wait: () => Promise<Value>) => Promise<Value>
}

/**
 * Makes an agent: it plays turns of one conversation, with tools that are called through a tool executor of its own. Decisions about
 * calls, questions and answers are recorded as they happen.
 */
export function createAgent(options: AgentOptions): Agent {
  return createAgentAt(options, {
    agents: [],
    settings: options.settings ?? {},
    aroundWait: async (wait) => await wait(),
  })
}

function createAgentAt(options: AgentOptions, place: Place): Agent {
  const { conversation, format = {}, openModel = openNothing } = options
  const { people = {}, root, settings = {} } = options
  const waits = measureWaits()
  const aroundWait: WrapWait = async (call, wait) =>
    await waits.around(call, async () => await place.aroundWait(wait))
  const { structured } = format
  const readResult = createReadToolResult(conversation.store, conversation.id, {
    semantic: structured === 'both' || structured === 'structured' ? 'always' : 'beside-nothing',
  })
  const executor = createToolExecutor({
    tools: [],
    ...recordDecisions(people, { conversation, agents: place.agents }),
    aroundWait,
    recordInquiry: conversation.record,
    liveSchema: 'flat',
  })
  const agents = agentsAt(options.agents ?? {}, place.agents.length + 1)
  let used: ModelWithProfile = options

  return {
    use: (model) => {
      used = model
    },
    close: async () => await executor.close(),
    play: async (content, { signal, show = () => {}, callsStop }) => {
      const { model, profile } = used
      const entries = [...(await options.tools())]
      const start = startAgents({ ...options, used }, place, aroundWait)
      const own = [
        ...(Object.keys(agents).length === 0
          ? []
          : [createDelegateTool({ agents, conversation: conversation.id, show, start })]),
        readResult,
      ]
      executor.setTools([
        ...entries,
        ...own.map((tool): ToolEntry => ({ tool, policy: 'unattended' })),
      ])
      const context: CallContext = {
        signal,
        root,
        conversationId: conversation.id,
        keepBytes: async (bytes) => await conversation.store.keepBytes(bytes),
        ask: {
          ...(people.user && { user: people.user }),
          assistant: createModelAnswerer({
            open: async (name) =>
              name === undefined ? { ok: true, model } : await openModel(name),
            messages: () => buildMessagesDuringCalls(conversation.events()),
            settings,
            onAnswer: async (request, answer) => await show({ type: 'answered', request, answer }),
          }),
        },
      }
      return await runTurn(
        content,
        {
          model,
          ...(profile && { profile }),
          executor,
          conversation,
          context,
          settings,
          format,
          deliverAs: (tool) => entries.find((entry) => entry.tool.name === tool)?.deduplicate,
          ...(options.delivery && { delivery: options.delivery }),
          ...(callsStop && { callsStop }),
          personTime: waits.of,
        },
        show,
      )
    },
  }
}

/** What an executor asks about calls of policy `ask`: who decided what is recorded before anything comes of it. */
function recordDecisions(
  { allow, approve }: AgentPorts,
  { conversation, agents }: { conversation: Conversation; agents: readonly string[] },
): Pick<Parameters<typeof createToolExecutor>[0], 'allow' | 'approve'> {
  const origin = { conversation: conversation.id, agents }
  return {
    ...(allow && {
      allow: async (call, material) => {
        const isAllowed = await allow(call, { ...material, ...origin })
        if (isAllowed)
          await conversation.record({
            type: 'approval',
            callId: call.id,
            decision: 'allowed',
            by: 'rule',
          })
        return isAllowed
      },
    }),
    ...(approve && {
      approve: async (call, material) => {
        const { by = 'user', ...approval } = await approve(call, { ...material, ...origin })
        await conversation.record({ type: 'approval', callId: call.id, by, ...approval })
        return approval
      },
    }),
  }
}

/** How agents are started from a turn: each leads a conversation of its own in the same store, with some of the same tools and the same people. */
function startAgents(
  { used, ...options }: AgentOptions & { used: ModelWithProfile },
  place: Place,
  aroundWait: WrapWait,
): StartAgent {
  const { people = {}, tools, openModel = openNothing } = options
  const { user } = people
  return async (name, definition, { call, pausedFor }) => {
    const { model, tools: named, instructions, maxOutputTokens, maxTokens } = definition
    const opened = model === undefined ? { ok: true as const, ...used } : await openModel(model)
    if (!opened.ok) return opened
    const { profile } = opened
    const counted = countTokens(opened.model, maxTokens)
    const conversation = await openConversation(options.conversation.store, randomUUID())
    const { profile: _, ...shared } = options
    const agent = createAgentAt(
      {
        ...shared,
        model: counted.model,
        ...(profile && { profile }),
        conversation,
        settings: {
          ...place.settings,
          ...(instructions !== undefined && { instructions }),
          ...(maxOutputTokens !== undefined && { maxOutputTokens }),
        },
        people: {
          ...people,
          ...(user && {
            user: async (request, asked) =>
              await user({ ...request, text: `Agent ${name}: ${request.text}` }, asked),
          }),
        },
        tools: async () => {
          const entries = await tools()
          return named ? entries.filter(({ tool }) => named.includes(tool.name)) : entries
        },
      },
      {
        ...place,
        agents: [...place.agents, name],
        aroundWait: async (wait) => await pausedFor(async () => await aroundWait(call, wait)),
      },
    )
    return {
      ok: true,
      led: {
        conversation,
        tokens: counted.tokens,
        play: async (task, turn) => await agent.play([{ type: 'text', text: task }], turn),
        close: agent.close,
      },
    }
  }
}

const openNothing: OpenModel = async (name) => ({
  ok: false,
  message: `no other model can be opened, such as "${name}"`,
})

/** Measures how long calls waited for people, so that it can be left out of how long the calls took. */
export function measureWaits(now: () => number = () => performance.now()): {
  around: WrapWait
  /** Milliseconds, by the id of the call; of waits that have ended. */
  of: (call: string) => number
} {
  const taken = new Map<string, number>()
  const open = new Map<string, { since: number; waits: number }>()

  function begin(call: string): void {
    const waiting = open.get(call)
    // Waits that overlap count once.
    if (waiting) waiting.waits += 1
    else open.set(call, { since: now(), waits: 1 })
  }

  function end(call: string): void {
    const waiting = open.get(call)
    if (!waiting) return
    waiting.waits -= 1
    if (waiting.waits > 0) return
    open.delete(call)
    taken.set(call, (taken.get(call) ?? 0) + now() - waiting.since)
  }

  return {
    around: async (call, wait) => {
      begin(call)
      return await wait().finally(() => end(call))
    },
    of: (call) => taken.get(call) ?? 0,
  }
}
