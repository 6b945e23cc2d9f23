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

/** A model and what it accepts. */
export interface ModelWithProfile {
  model: Model
  /** What the model accepts. Default: unknown; then earlier media are never referenced. */
  profile?: ModelProfile
}

/** The origin of a call that needs a decision. */
export interface CallOrigin {
  /** The id of the conversation. */
  conversation: string
  /** The agents that started the call, the outermost first. Empty if the conversation's own model made the call. */
  agents: readonly string[]
}

/** The functions through which people decide about calls and answer questions. */
export interface AgentPorts {
  /** Answers the questions of tools. Absent: no person is available. */
  user?: AnswerQuestion
  /** Whether a call of policy `ask` may run without asking a person; see `AllowCall`. Default: no call may. */
  allow?: (call: ToolCall, material: Parameters<AllowCall>[1] & CallOrigin) => Promise<boolean>
  /** Decides about a call of policy `ask`; see `ApproveCall`. Absent: such calls are denied. */
  approve?: (
    call: ToolCall,
    material: Parameters<ApproveCall>[1] & CallOrigin,
  ) => Promise<Approval & { by?: 'rule' }>
}

/** Options of `createAgent`. */
export interface AgentOptions extends ModelWithProfile {
  /** The conversation, from `openConversation`. The agent does not close its store. */
  conversation: Conversation
  /** The tools that a turn may call. Read at the start of each turn. The agent adds `read_tool_result`, and `delegate` if there are agents. */
  tools: () => readonly ToolEntry[] | Promise<readonly ToolEntry[]>
  /** Absolute path of the folder in which tools work. */
  root: string
  /** Answers questions and approves calls. Default: absent; questions are cancelled, and calls that need approval are denied. */
  people?: AgentPorts
  /** Settings of the model requests. Default: the provider's. */
  settings?: ModelSettings
  /** How results are formatted for the model. */
  format?: FormatOptions
  /** How much of the results the model receives. Default: everything that it does not have yet. */
  delivery?: DeliveryLimits
  /** Opens another model by its name, for agents and for questions that are routed to a model. Absent: no other models. */
  openModel?: OpenModel
  /** Agents to which the model may delegate work, by name. */
  agents?: Readonly<Record<string, AgentDefinition>>
}

/** A model with its tools and one conversation. */
export interface Agent {
  /** Runs one turn; see `runTurn`. Only one turn may run at a time. */
  runTurn(
    content: readonly ContentBlock[],
    turn: { signal: AbortSignal; show?: OnTurnEvent; callCancellation?: CallCancellation },
  ): Promise<TurnEnd>
  /** Uses another model from the next turn on. */
  setModel(model: ModelWithProfile): void
  /** Ends the running calls of stateful tools. */
  close(): Promise<void>
}

/** The position of an agent in a chain of agents. */
interface Place {
  /** The agents above this one, the outermost first. */
  agents: readonly string[]
  /** Settings of the person's conversation. They apply to every agent whose own definition does not set them. */
  settings: ModelSettings
  /** Wraps each wait for a person, for the calls of the agents above this one. */
  wrapWait: <Value>(wait: () => Promise<Value>) => Promise<Value>
}

/**
 * Creates an agent that runs the turns of one conversation. It calls tools through its own tool executor, and records decisions, questions and
 * answers when they happen.
 */
export function createAgent(options: AgentOptions): Agent {
  return createAgentAt(options, {
    agents: [],
    settings: options.settings ?? {},
    wrapWait: async (wait) => await wait(),
  })
}

function createAgentAt(options: AgentOptions, place: Place): Agent {
  const { conversation, format = {}, openModel = openNothing } = options
  const { people = {}, root, settings = {} } = options
  const waits = measureWaits()
  const wrapWait: WrapWait = async (call, wait) =>
    await waits.around(call, async () => await place.wrapWait(wait))
  const { structured } = format
  const readResult = createReadToolResult(conversation.store, conversation.id, {
    semantic: structured === 'both' || structured === 'structured' ? 'always' : 'beside-nothing',
  })
  const executor = createToolExecutor({
    tools: [],
    ...recordDecisions(people, { conversation, agents: place.agents }),
    wrapWait,
    recordInquiry: conversation.record,
    liveSchema: 'flat',
  })
  const agents = agentsAt(options.agents ?? {}, place.agents.length + 1)
  let used: ModelWithProfile = options

  return {
    setModel: (model) => {
      used = model
    },
    close: async () => await executor.close(),
    runTurn: async (content, { signal, show = () => {}, callCancellation }) => {
      const { model, profile } = used
      const entries = [...(await options.tools())]
      const start = startAgents({ ...options, used }, place, wrapWait)
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
          ...(callCancellation && { callCancellation }),
          personTime: waits.of,
        },
        show,
      )
    },
  }
}

/** The executor's approval options. Each decision is recorded before it takes effect. */
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

/** Starts agents from a turn. Each agent has its own conversation in the same store, some of the same tools, and the same people. */
function startAgents(
  { used, ...options }: AgentOptions & { used: ModelWithProfile },
  place: Place,
  wrapWait: WrapWait,
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
        wrapWait: async (wait) => await pausedFor(async () => await wrapWait(call, wait)),
      },
    )
    return {
      ok: true,
      led: {
        conversation,
        tokens: counted.tokens,
        play: async (task, turn) => await agent.runTurn([{ type: 'text', text: task }], turn),
        close: agent.close,
      },
    }
  }
}

const openNothing: OpenModel = async (name) => ({
  ok: false,
  message: `no other model can be opened, such as "${name}"`,
})

/** Measures how long calls waited for people, so that the duration of a call can exclude that time. */
export function measureWaits(now: () => number = () => performance.now()): {
  around: WrapWait
  /** Milliseconds that a call has waited, by the id of the call. Counts finished waits only. */
  of: (call: string) => number
} {
  const taken = new Map<string, number>()
  const open = new Map<string, { since: number; waits: number }>()

  function begin(call: string): void {
    const waiting = open.get(call)
    // Overlapping waits count once.
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
