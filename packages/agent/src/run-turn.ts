import { requireArguments } from '@toolblocks/protocol/internal'
import {
  type ConversationEvent,
  type HistoryEntry,
  projectHistory,
  READ_TOOL_RESULT,
} from '@toolblocks/conversation-store'
import { toArgumentsObject, findContentInRequest } from '@toolblocks/formatter/internal'
import {
  deliverMessage,
  type FormatOptions,
  type ModelCall,
  type ModelMessage,
  type ModelProfile,
} from '@toolblocks/formatter'
import type {
  Answer,
  AnsweredQuestion,
  CallContext,
  ContentBlock,
  InputRequest,
  Progress,
  ToolCall,
  ToolResult,
} from '@toolblocks/protocol'
import { identifyResources, type ToolExecutor } from '@toolblocks/tool-executor'
import { SEARCH_TOOLS } from '@toolblocks/tool-executor/internal'
import {
  createDeliverer,
  type DeliveredToModel,
  type DeliveryLimits,
  type DeliverToModel,
  spentInTurn,
} from './deliver-results.ts'
import {
  askModel,
  type ModelRequestNotice,
  type Model,
  type ModelMessageEvent,
  type ModelSettings,
} from './model.ts'
import { limitCalls } from './limit-calls.ts'
import { buildMessages } from './build-messages.ts'
import type { Conversation } from './open-conversation.ts'

/** Options of `runTurn`. */
export interface TurnOptions {
  model: Model
  /** What the model accepts. Default: unknown; then media are never referenced. */
  profile?: ModelProfile
  /** Runs the tools: `createToolExecutor` of `@toolblocks/tool-executor`. */
  executor: Pick<ToolExecutor, 'execute' | 'answerWaiting' | 'definitions' | 'endTurn'>
  conversation: Conversation
  /** How results are formatted for the model. */
  format?: FormatOptions
  /** How much of the results the model receives. Default: everything that it does not have yet. */
  delivery?: DeliveryLimits
  /** Whether the results of a tool may be references, by the tool's name. Default: the value of `delivery`. */
  deliverAs?: (tool: string) => boolean | undefined
  /** The context of every call. Its signal ends the turn. */
  context: CallContext
  /** Cancels running calls without ending the turn. */
  callCancellation?: CallCancellation
  /** Settings of the model requests. Default: the provider’s. */
  settings?: ModelSettings
  /** Milliseconds that a call waited for a person, by its id. */
  personTime?: (call: string) => number
  /** The calls that wait in the store for a person. Default: no call waits there. */
  parking?: CallParking
}

/** Ends calls whose questions wait in the store. */
export interface CallParking {
  /** Called before a call starts. The call ends when the returned signal aborts. */
  begin(call: string): AbortSignal
  /** Whether a call has no result, because it waits. */
  isParked(call: string): boolean
}

/** Cancels the running calls, but not the turn. */
export interface CallCancellation {
  /** Called when the calls of a message start. The calls end when the returned signal aborts. */
  begin(): AbortSignal
  /** Called when all these calls have ended. */
  end(): void
}

/** An event that a host can show while a turn runs. */
export type TurnEvent =
  | ModelRequestNotice
  /** The response is complete. */
  | ModelMessageEvent
  /** The message had too many calls. This number of calls was neither stored nor run. */
  | { type: 'omitted-calls'; calls: number }
  | { type: 'call'; call: ToolCall }
  /** Progress of a running call, from its tool. */
  | { type: 'progress'; call: ToolCall; progress: Progress }
  /** A call has ended. Its result is shown after the results of the calls before it. */
  | { type: 'ended'; call: ToolCall }
  /** The model was asked a question of a tool. */
  | { type: 'answered'; request: InputRequest; answer: Answer }
  /** An event in the conversation of the agent `agent`, to which a call has delegated work. */
  | { type: 'delegated'; agent: string; moment: TurnEvent }
  /** The call waits in the store for a person, and has no result yet. */
  | { type: 'parked'; call: ToolCall }
  /** The result of a call. `milliseconds`: its duration, without the time that a person took. */
  | {
      type: 'result'
      call: ToolCall
      milliseconds: number
      result: ToolResult
      delivered: DeliveredToModel
    }

/** Shows an event. The turn continues once the returned promise settles. */
export type OnTurnEvent = (moment: TurnEvent) => void | Promise<void>

/**
 * How a turn ended. `too-long`: the model kept making calls. `cut`: several responses in a row were truncated, and none of their calls could run.
 * `parked`: calls wait in the store for people; the turn can be resumed.
 */
export type TurnEnd = 'completed' | 'aborted' | 'too-long' | 'cut' | 'parked'

/** The reason with which the calls of a turn abort that cannot continue, because its host failed. */
export class TurnFailed extends Error {
  override name = 'TurnFailed'
}

/** Maximum responses of a model in one turn. */
const MAX_MESSAGES = 200
/** Maximum truncated responses in a row without a call that can run. */
const MAX_TRUNCATED_MESSAGES = 3

/**
 * Runs one turn. The model is asked, its calls run in parallel, and the model is asked again with their results, until it makes no more calls.
 * Questions of stateful calls for a person are asked after these results; each answer is a call of the host with its own result. A call of the
 * model is stored before it runs, and a result before it is delivered. Rejects with a `ModelError`; everything up to then is stored.
 */
export async function runTurn(
  content: readonly ContentBlock[],
  parts: TurnOptions,
  show: OnTurnEvent = () => {},
): Promise<TurnEnd> {
  requireArguments(
    'runTurn(content, parts, …)',
    [content, 'array'],
    [parts, { conversation: 'object' }],
  )
  const { conversation, context } = parts
  const turn = countTurns(conversation) + 1
  await conversation.record(
    { type: 'turn_start', turn },
    { type: 'user_message', content },
    ...prepareAttachments(content, turn, parts),
  )
  try {
    return await runMessages(turn, parts, show)
  } finally {
    await parts.executor.endTurn(context.conversationId)
  }
}

/**
 * Continues the last turn, which was parked or whose host ended. Its calls without a result are made as given, and then the model is asked, unless a
 * call still waits. The conversation must contain the calls.
 */
export async function resumeTurn(
  calls: readonly ResumedCall[],
  parts: TurnOptions,
  show: OnTurnEvent = () => {},
): Promise<TurnEnd> {
  requireArguments(
    'resumeTurn(calls, parts, …)',
    [calls, 'array'],
    [parts, { conversation: 'object' }],
  )
  const { conversation, context } = parts
  const turn = countTurns(conversation)
  try {
    const messages = buildMessages(projectHistory(conversation.history()))
    const deliver = createTurnDeliverer(messages, turn, parts)
    const isParked = await makeCalls(calls, { ...parts, deliver }, show)
    if (isParked) return 'parked'
    return context.signal.aborted ? 'aborted' : await runMessages(turn, parts, show)
  } finally {
    await parts.executor.endTurn(context.conversationId)
  }
}

/** A call to make, and what is known of it. */
export interface ResumedCall {
  call: ModelCall
  /** The result of a call that is not made. */
  result?: ToolResult
  /** Whether the result is stored already, and only its delivery is missing. */
  isStored?: boolean
  /** Its questions with their answers. */
  answered?: readonly AnsweredQuestion[]
  /** Whether it still waits, and is not made. */
  isWaiting?: boolean
}

async function runMessages(turn: number, parts: TurnOptions, show: OnTurnEvent): Promise<TurnEnd> {
  const { conversation, context } = parts
  let cut = 0
  for (let count = 0; count < MAX_MESSAGES; count++) {
    const history = conversation.history()
    const messages = buildMessages(projectHistory(history))
    const request = {
      messages,
      tools: parts.executor.definitions(findFoundTools(history.entries)),
      ...parts.settings,
    }
    const answer = await askModel(parts.model, request, { signal: context.signal, show })
    if (!answer) return 'aborted'
    const { message, refused, leftOut } = limitCalls(answer.message, answer.cut)
    await conversation.record(...getEvents({ ...answer, message }))
    await show({ ...answer, message })
    if (leftOut > 0) await show({ type: 'omitted-calls', calls: leftOut })
    if (message.calls.length === 0) return 'completed'
    cut = answer.cut && refused.size === message.calls.length ? cut + 1 : 0
    const deliver = createTurnDeliverer(messages, turn, parts)
    const calls = message.calls.map((call, index) => {
      const result = refused.get(index)
      return { call, ...(result && { result }) }
    })
    const isParked = await makeCalls(calls, { ...parts, deliver }, show)
    if (isParked) return 'parked'
    if (context.signal.aborted) return 'aborted'
    if (cut === MAX_TRUNCATED_MESSAGES) return 'cut'
  }
  return 'too-long'
}

/** Returns the names of the tools that searches of the conversation have found, in their order. */
function findFoundTools(entries: readonly HistoryEntry[]): readonly string[] {
  const searches = new Set(
    entries.flatMap(({ event }) =>
      event.type === 'tool_call' && event.call.name === SEARCH_TOOLS ? event.call.id : [],
    ),
  )
  return entries.flatMap(({ event }) => {
    if (event.type !== 'tool_result' || !searches.has(event.result.id ?? '')) return []
    const names: unknown = event.result.metadata?.['foundTools']
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
  })
}

/** Creates the deliverer of a turn, given the messages that the model has. */
function createTurnDeliverer(
  messages: readonly ModelMessage[],
  turn: number,
  parts: TurnOptions,
): DeliverToModel {
  return createDeliverer(findContentInRequest(messages, parts.profile).deliveries, {
    ...parts,
    ...parts.delivery,
    turn,
    spent: spentInTurn(parts.conversation.events()),
    readTool: READ_TOOL_RESULT,
  })
}

/** Returns the content of a message that the model receives. A tool that reads the same content can refer to it. */
function prepareAttachments(
  content: readonly ContentBlock[],
  turn: number,
  { context, profile }: Pick<TurnOptions, 'context' | 'profile'>,
): readonly ConversationEvent[] {
  const { resources = [] } = identifyResources(content, context.root)
  const deliveries = deliverMessage(content, resources, { turn, ...(profile && { profile }) })
  return deliveries.length === 0 ? [] : [{ type: 'delivery', deliveries }]
}

/** Returns the number of turns. Undone turns do not count. */
export function countTurns(conversation: Conversation): number {
  return conversation.history().entries.at(-1)?.turn ?? 0
}

/** A message without text is stored if it has other data, such as its token usage. */
function getEvents({ message, model, usage }: ModelMessageEvent): readonly ConversationEvent[] {
  const { content, reasoning, calls, _meta } = message
  const isSilent =
    content.length === 0 && [reasoning, _meta, usage].every((field) => field === undefined)
  return [
    ...(isSilent
      ? []
      : [
          {
            type: 'assistant_message' as const,
            content,
            ...(reasoning !== undefined && { reasoning }),
            ...(model !== undefined && { model }),
            ...(usage && { usage }),
            ...(_meta && { _meta }),
          },
        ]),
    ...calls.map((call) => ({
      type: 'tool_call' as const,
      call: { ...call, arguments: toArgumentsObject(call.arguments) },
    })),
  ]
}

/**
 * Calls run in parallel and are stored when they end. They are shown and delivered in the order of the model's calls. Resolves to whether a call waits
 * in the store. If it rejects, all calls have ended.
 */
async function makeCalls(
  calls: readonly ResumedCall[],
  parts: TurnOptions & { deliver: DeliverToModel },
  show: OnTurnEvent,
): Promise<boolean> {
  const { executor, context, conversation, deliver, parking, personTime = () => 0 } = parts
  const stop = parts.callCancellation?.begin()
  const failure = new AbortController()
  const signal = AbortSignal.any([context.signal, failure.signal, ...(stop ? [stop] : [])])
  const running = calls.map(async ({ call, result: known, ...resumed }) => {
    const { answered, isStored = false, isWaiting = false } = resumed
    if (isWaiting) return undefined
    if (known && isStored) return { result: known, milliseconds: 0 }
    const start = performance.now()
    // A model may give several calls one id.
    const before = personTime(call.id)
    const parked = parking?.begin(call.id)
    const result =
      known ??
      (await executor.execute(call, {
        ...context,
        signal: parked ? AbortSignal.any([signal, parked]) : signal,
        ...(answered && { answered }),
        onProgress: (progress) => void show({ type: 'progress', call, progress }),
      }))
    if (parking?.isParked(call.id)) return undefined
    const milliseconds = getDuration(start, personTime(call.id) - before)
    await conversation.record({ type: 'tool_result', result })
    void show({ type: 'ended', call })
    return { result, milliseconds }
  })
  const results: ToolResult[] = []
  let isParked = false
  // Each promise is awaited below. This prevents an unhandled rejection until then.
  for (const each of running) each.catch(() => undefined)
  try {
    for (const [index, { call }] of calls.entries()) {
      await show({ type: 'call', call })
      const done = await running[index]
      if (!done) {
        isParked = true
        await show({ type: 'parked', call })
        continue
      }
      const delivered = deliver(done.result, call.name, calls.length - index)
      await conversation.record(delivered.event)
      await show({ type: 'result', call, ...done, delivered })
      results.push(done.result)
    }
    for (const result of results) await answerPeople(result, { ...parts, signal }, show)
    return isParked
  } catch (error) {
    failure.abort(new TurnFailed('the turn failed', { cause: error }))
    await Promise.allSettled(running)
    throw error
  } finally {
    parts.callCancellation?.end()
  }
}

/** Asks people the questions of a stateful call until it has no more. The model receives every step. */
async function answerPeople(
  firstResult: ToolResult,
  parts: TurnOptions & { deliver: DeliverToModel; signal: AbortSignal },
  show: OnTurnEvent,
): Promise<void> {
  const { executor, context, signal, conversation, deliver, personTime = () => 0 } = parts
  let last = firstResult
  for (;;) {
    const start = performance.now()
    const answered = await executor.answerWaiting(last, { ...context, signal })
    if (!answered) return
    const { call, result } = answered
    const milliseconds = getDuration(start, personTime(call.id))
    await conversation.record({ type: 'tool_call', call }, { type: 'tool_result', result })
    await show({ type: 'call', call })
    const delivered = deliver(result, call.name)
    await conversation.record(delivered.event)
    await show({ type: 'result', call, result, milliseconds, delivered })
    last = result
  }
}

/** Returns the milliseconds since `start` without those that a person took. Calls with one id may wait at the same time. */
function getDuration(start: number, personMs: number): number {
  return Math.max(0, performance.now() - start - personMs)
}
