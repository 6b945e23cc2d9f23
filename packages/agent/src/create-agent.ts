import { requireArguments } from '@toolblocks/protocol/internal'
import { randomUUID } from 'node:crypto'
import { createReadToolResult } from '@toolblocks/conversation-store'
import type { FormatOptions } from '@toolblocks/formatter'
import type { PictureFitter } from '@toolblocks/formatter/pictures'
import type { RecordInquiry } from '@toolblocks/inquiry'
import {
  createPendingPorts,
  type PendingOptions,
  type PendingPorts,
  type PendingQuestion,
  type WaitingOptions,
} from '@toolblocks/inquiry/pending'
import type { CallContext, Telemetry } from '@toolblocks/protocol'
import { type ApproveCall, createToolExecutor, type ToolEntry } from '@toolblocks/tool-executor'
import { type WrapWait } from '@toolblocks/tool-executor/internal'
import type { Agent, AgentTurn } from './agent.ts'
import { createModelAnswerer, type OpenModel } from './answer-by-model.ts'
import { findDelegatedCalls, getAgentConversation } from './agent-conversation.ts'
import { buildMessagesDuringCalls } from './build-messages.ts'
import {
  type AgentDefinition,
  agentsAt,
  countTokens,
  createDelegateTool,
  type StartAgent,
} from './delegate.ts'
import type { DeliveryLimits } from './deliver-results.ts'
import {
  type AgentPorts,
  askInTurn,
  type CallOrigin,
  recordDecisions,
  withAgentName,
  withOrigin,
} from './decide-calls.ts'
import { type AgentHost, ConversationLost, holdConversation } from './hold-conversation.ts'
import { withFittingModels, withFittingPictures } from './fit-pictures.ts'
import { measureWaits } from './measure-waits.ts'
import type { ModelSettings, ModelWithProfile } from './model.ts'
import { type Conversation, openConversation } from './open-conversation.ts'
import { createParking, type Parking } from './parking.ts'
import { createInquiryRecorder } from './record-inquiry.ts'
import {
  countTurns,
  resumeTurn,
  runTurn,
  type OnTurnEvent,
  type TurnEnd,
  TurnFailed,
  type TurnOptions,
} from './run-turn.ts'
import { traceModel, traceTurns } from './trace-agent.ts'
import { endWaitingCalls, findOpenTurn, hashDefinition, resumeCalls } from './waiting-calls.ts'

/** Options of `createAgent`. */
export interface AgentOptions extends ModelWithProfile {
  /** Opens each question and approval in the store, so that it can be answered from elsewhere, and later. Default: absent; only `people` are asked. */
  waiting?: WaitingOptions
  /** The host, as other hosts of the store see it. Default: a name of its own. */
  host?: AgentHost
  /** Identifies the program behind a tool. An answer counts only while it is unchanged. Default: the definition alone counts. */
  describeTool?: (entry: ToolEntry) => string
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
  /** How much of the results the model receives. Default: what it does not have yet, up to 100,000 characters of a result and 400,000 of a turn. */
  delivery?: DeliveryLimits
  /** Makes pictures fit the `profile`, for the model only. Default: one fitter of this process, if `@cf-wasm/photon` is installed. `as-is`: no change. */
  pictures?: PictureFitter | 'as-is'
  /** The number of tools above which the model finds them with `search_tools`; see `ToolExecutorOptions`. Default: all tools are listed. */
  deferAbove?: number
  /** Opens another model by its name, for agents and for questions that are routed to a model. Absent: no other models. */
  openModel?: OpenModel
  /** Agents to which the model may delegate work, by name. */
  agents?: Readonly<Record<string, AgentDefinition>>
  /** Reports turns, model requests and calls, by OpenTelemetry's conventions for GenAI. Default: nothing is reported. */
  telemetry?: Telemetry
}

const OF_AGENT = { policy: 'unattended', defer: false } as const

/** The position of an agent in a chain of agents. */
interface ChainPosition {
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
export function createAgent(agent: AgentOptions): Agent {
  requireArguments('createAgent(agent)', [agent, { model: 'function', conversation: 'object' }])
  const { people, ...options } = agent
  return createAgentAt(
    { ...options, ...(people && { people: askInTurn(people) }) },
    { agents: [], settings: options.settings ?? {}, wrapWait: async (wait) => await wait() },
  )
}

function createAgentAt(options: AgentOptions, position: ChainPosition): Agent {
  const { conversation, format = {}, waiting, telemetry } = options
  const openModel = withFittingModels(options.openModel ?? openNothing, options.pictures)
  const { people = {}, root, settings = {}, host = { holder: `host-${randomUUID()}` } } = options
  const waits = measureWaits()
  const wrapWait: WrapWait = async (call, wait) =>
    await waits.around(call, async () => await position.wrapWait(wait))
  const { structured } = format
  const readResult = createReadToolResult(conversation.store, conversation.id, {
    semantic: structured === 'both' || structured === 'structured' ? 'always' : 'beside-nothing',
  })
  const pending: PendingOptions = { storage: conversation.store.documents }
  /** What asks people in the running turn. */
  let asking: AskingTurn = { parking: createParking(), record: async () => {} }
  const executor = createToolExecutor({
    tools: [],
    ...recordDecisions(
      {
        ...people,
        ...((people.approve || waiting) && {
          approve: async (call, material) => {
            const { approve = people.approve } = asking.ports ?? {}
            return approve ? await approve(call, material) : { decision: 'cancelled' }
          },
        }),
      },
      {
        conversation,
        agents: position.agents,
        isParked: (call) => asking.parking.isParked(call),
      },
    ),
    wrapWait,
    // In the store, all questions wait at the same time.
    ...(waiting && { askPeople: 'at-once' }),
    ...(options.deferAbove !== undefined && { deferAbove: options.deferAbove }),
    ...(telemetry && { telemetry }),
    foundTools: 'listed',
    recordInquiry: async (event) => await asking.record(event),
    liveSchema: 'flat',
  })
  const peopleHere = withOrigin(people, { conversation: conversation.id, agents: position.agents })
  const agents = agentsAt(options.agents ?? {}, position.agents.length + 1)
  let used: ModelWithProfile = options

  /** Prepares the tools and the ports of a turn. `earlier`: questions of the same turn from before. */
  async function beginTurn(turn: number, show: OnTurnEvent): Promise<BegunTurn> {
    const parking = createParking()
    const entries = [...(await options.tools())]
    const own = [
      ...(Object.keys(agents).length === 0
        ? []
        : [
            createDelegateTool({
              agents,
              conversation: conversation.id,
              show,
              park: parking.park,
              start: startAgents({ ...options, host, used }, position, wrapWait),
            }),
          ]),
      readResult,
    ]
    const all = [...entries, ...own.map((tool): ToolEntry => ({ tool, ...OF_AGENT }))]
    executor.setTools(all)
    const getDefinition = (name: string): string | undefined => {
      const entry = all.find(({ tool }) => tool.name === name)
      return entry && hashDefinition(entry, options.describeTool)
    }
    const openPorts = (earlier: readonly PendingQuestion[]): void => {
      asking = {
        parking,
        record: createInquiryRecorder(conversation, parking.isParked),
        ...(waiting && {
          ports: createPendingPorts<DecisionMaterial>({
            pending,
            waiting: {
              ...waiting,
              // Another host asks it now, or the host that resumes the turn.
              staysOpen: (reason) =>
                reason instanceof ConversationLost ||
                reason instanceof TurnFailed ||
                waiting.staysOpen?.(reason) === true,
            },
            conversation: conversation.id,
            turn,
            agents: position.agents,
            host: host.holder,
            people: peopleHere,
            getDefinition,
            earlier,
            park: ({ call }) => parking.park(call.id),
          }),
        }),
      }
    }
    openPorts([])
    return { entries, getDefinition, openPorts, parking }
  }

  /** Returns the parts of a turn that begins or continues. */
  function getTurnOptions(
    { entries, parking }: BegunTurn,
    { signal, show = () => {}, callCancellation }: AgentTurn,
  ): TurnOptions {
    const fitting = withFittingPictures(used, options.pictures)
    const model = traceModel(fitting, used, { telemetry, conversation: conversation.id })
    const { user = peopleHere.user } = asking.ports ?? {}
    const context: CallContext = {
      signal,
      root,
      conversationId: conversation.id,
      keepBytes: async (bytes) => await conversation.store.keepBytes(bytes),
      ask: {
        ...(user && { user }),
        assistant: createModelAnswerer({
          open: async (name) => (name === undefined ? { ok: true, model } : await openModel(name)),
          messages: () => buildMessagesDuringCalls(conversation.events()),
          settings,
          onAnswer: async (request, answer) => await show({ type: 'answered', request, answer }),
        }),
      },
    }
    return {
      model,
      ...(used.profile && { profile: used.profile }),
      executor,
      conversation,
      context,
      settings,
      format,
      deliverAs: (tool) => entries.find((entry) => entry.tool.name === tool)?.deduplicate,
      ...(options.delivery && { delivery: options.delivery }),
      ...(callCancellation && { callCancellation }),
      personTime: waits.of,
      parking,
    }
  }

  /** Does the work of a turn while no other host can begin one. */
  const hold = async <End extends TurnEnd | undefined>(
    { signal }: AgentTurn,
    work: (signal: AbortSignal) => Promise<End>,
  ): Promise<End> =>
    await traceTurn(async () => await holdConversation(conversation, { ...host, signal }, work))
  const traceTurn = traceTurns(telemetry, {
    agent: position.agents.at(-1),
    conversation: conversation.id,
  })

  return {
    setModel: (model) => {
      used = model
    },
    close: async () => await executor.close(),
    runTurn: async (content, turn) =>
      await hold(turn, async (signal) => {
        const { show = () => {} } = turn
        const open = findOpenTurn(conversation.history())
        const begun = await beginTurn(countTurns(conversation) + 1, show)
        if (open) {
          const hasOwnConversation = await findDelegatedCalls(conversation, open.entries)
          const { getDefinition } = begun
          const left = { storage: pending, conversation, host: host.holder, getDefinition }
          await endWaitingCalls(open, { ...left, hasOwnConversation })
        }
        return await runTurn(content, getTurnOptions(begun, { ...turn, signal }), show)
      }),
    resumeTurn: async (turn) =>
      await hold(turn, async (signal) => {
        const { show = () => {} } = turn
        const open = findOpenTurn(conversation.history())
        if (!open) return undefined
        const begun = await beginTurn(open.turn, show)
        const canAsk =
          people.user !== undefined ||
          people.approve !== undefined ||
          (waiting !== undefined && waiting.whenUnanswered !== 'park')
        const resumed = await resumeCalls(open, {
          storage: pending,
          conversation,
          host: host.holder,
          getDefinition: begun.getDefinition,
          hasOwnConversation: await findDelegatedCalls(conversation, open.entries),
          canAsk,
        })
        begun.openPorts(resumed.open)
        return await resumeTurn(resumed.calls, getTurnOptions(begun, { ...turn, signal }), show)
      }),
  }
}

/** The material of a decision, as `ApproveCall` receives it. */
type DecisionMaterial = Parameters<ApproveCall>[1] & CallOrigin

/** What asks people in one turn. */
interface AskingTurn {
  parking: Parking
  record: RecordInquiry
  /** Absent: questions do not wait in the store. */
  ports?: PendingPorts<DecisionMaterial>
}

/** A turn whose tools are known. */
interface BegunTurn {
  entries: readonly ToolEntry[]
  getDefinition: (tool: string) => string | undefined
  /** Opens the ports to people; they continue to ask `earlier` questions. */
  openPorts: (earlier: readonly PendingQuestion[]) => void
  parking: Parking
}

/** Starts agents from a turn. Each agent has its own conversation in the same store, some of the same tools, and the same people. */
function startAgents(
  { used, ...options }: AgentOptions & { used: ModelWithProfile },
  position: ChainPosition,
  wrapWait: WrapWait,
): StartAgent {
  const { people = {}, tools, openModel = openNothing } = options
  return async (name, definition, { call, pausedFor }) => {
    const { model, tools: named, instructions, maxOutputTokens, maxTokens } = definition
    const opened = model === undefined ? { ok: true as const, ...used } : await openModel(model)
    if (!opened.ok) return opened
    const { profile, modelName } = opened
    const counted = countTokens(opened.model, maxTokens)
    const conversation = await openConversation(
      options.conversation.store,
      getAgentConversation(options.conversation, call),
    )
    const { profile: _, modelName: _name, ...shared } = options
    const agent = createAgentAt(
      {
        ...shared,
        model: counted.model,
        ...(profile && { profile }),
        ...(modelName !== undefined && { modelName }),
        conversation,
        settings: {
          ...position.settings,
          ...(instructions !== undefined && { instructions }),
          ...(maxOutputTokens !== undefined && { maxOutputTokens }),
        },
        people: withAgentName(people, name),
        tools: async () => {
          const entries = await tools()
          return named ? entries.filter(({ tool }) => named.includes(tool.name)) : entries
        },
      },
      {
        ...position,
        agents: [...position.agents, name],
        wrapWait: async (wait) =>
          await pausedFor(async () => await wrapWait({ callId: call }, wait)),
      },
    )
    return {
      ok: true,
      led: {
        conversation,
        tokens: counted.tokens,
        play: async (task, turn) => {
          const content = [{ type: 'text', text: task } as const]
          if (countTurns(conversation) === 0) return await agent.runTurn(content, turn)
          return (await agent.resumeTurn(turn)) ?? 'completed'
        },
        close: agent.close,
      },
    }
  }
}

const openNothing: OpenModel = async (name) => ({
  ok: false,
  message: `no other model can be opened, such as "${name}"`,
})
