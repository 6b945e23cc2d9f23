import {
  type ConversationEvent,
  projectHistory,
  READ_TOOL_RESULT,
  readHistory,
} from '@toolblocks/conversation-store'
import {
  toArgumentsObject,
  deliverMessage,
  findContentInRequest,
  type FormatOptions,
  type ModelCall,
  type ModelProfile,
} from '@toolblocks/formatter'
import type {
  Answer,
  CallContext,
  ContentBlock,
  InputRequest,
  Progress,
  ToolCall,
  ToolResult,
} from '@toolblocks/protocol'
import { identifyResources, type ToolExecutor } from '@toolblocks/tool-executor'
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
import { limitCalls, type LimitedMessage } from './limit-calls.ts'
import { buildMessages } from './build-messages.ts'
import type { Conversation } from './open-conversation.ts'

/** What a turn is made of. */
export interface TurnOptions {
  model: Model
  /** What it takes. Default: nobody knows, and it is pointed to no media. */
  profile?: ModelProfile
  /** Finds, checks and runs the tools: `createToolExecutor` of `@toolblocks/tool-executor`. */
  executor: Pick<ToolExecutor, 'execute' | 'answerWaiting' | 'definitions' | 'endTurn'>
  conversation: Conversation
  /** How results are written for the model. */
  format?: FormatOptions
  /** How much of them it is given. Default: all of what it does not have yet. */
  delivery?: DeliveryLimits
  /** Whether the results of a tool may be references, by its name. Default: what `delivery` says. */
  deliverAs?: (tool: string) => boolean | undefined
  /** For every call; its signal ends the turn. */
  context: CallContext
  /** Told when the calls of a message begin, and when all have ended. */
  callsStop?: CallCancellation
  settings?: ModelSettings
  /** Milliseconds that a call waited for a person. */
  personTime?: (call: string) => number
}

/** Ends the calls that are running, and not the turn. */
export interface CallCancellation {
  /** The calls of a message begin. They end when the signal that is returned aborts. */
  begin(): AbortSignal
  /** From now on there is nothing to end. */
  end(): void
}

/** One thing worth showing while a turn goes on. */
export type TurnEvent =
  | ModelRequestNotice
  /** What was said before is whole. */
  | ModelMessageEvent
  /** So many calls of the message were neither kept nor made: there were too many to answer. */
  | { type: 'left-out'; calls: number }
  | { type: 'call'; call: ToolCall }
  /** What a call that goes on says of how far it is; from the tool. */
  | { type: 'progress'; call: ToolCall; progress: Progress }
  /** A call has ended; its result is shown once those of the calls before it are. */
  | { type: 'ended'; call: ToolCall }
  /** The model was asked a question of a tool. */
  | { type: 'answered'; request: InputRequest; answer: Answer }
  /** Something happens in the conversation of an agent, by the name `agent`, that a call has handed work over to. */
  | { type: 'delegated'; agent: string; moment: TurnEvent }
  /** A call has ended. `milliseconds`: how long it took, without the time that a person took. */
  | {
      type: 'result'
      call: ToolCall
      milliseconds: number
      result: ToolResult
      delivered: DeliveredToModel
    }

/** Shows a moment; what comes of a call waits until it is shown. */
export type OnTurnEvent = (moment: TurnEvent) => void | Promise<void>

/** How a turn ended. `too-long`: the model went on calling; `cut`: its messages were cut again and again, and none of their calls could be made. */
export type TurnEnd = 'completed' | 'aborted' | 'too-long' | 'cut'

/** Messages of a model in one turn. */
const MAX_MESSAGES = 200
/** Messages one after the other that were cut, without a call that could be made. */
const MAX_TRUNCATED_MESSAGES = 3

/**
 * Plays one turn: the model is asked, its calls are made side by side, and it is asked again with their results, until it calls nothing more.
 * What a live call asks of people is asked behind these results; each answer is a call of the host's with a result of its own. A call of the model
 * is stored before it runs, a result before it is delivered. Rejects with a `ModelError`; all that happened until then is stored.
 */
export async function runTurn(
  content: readonly ContentBlock[],
  parts: TurnOptions,
  show: OnTurnEvent = () => {},
): Promise<TurnEnd> {
  const { conversation, context } = parts
  const turn = countTurns(conversation) + 1
  await conversation.record(
    { type: 'turn_start', turn },
    { type: 'user_message', content },
    ...attached(content, turn, parts),
  )
  try {
    return await runMessages(turn, parts, show)
  } finally {
    await parts.executor.endTurn(context.conversationId)
  }
}

async function runMessages(turn: number, parts: TurnOptions, show: OnTurnEvent): Promise<TurnEnd> {
  const { conversation, context } = parts
  let cut = 0
  for (let count = 0; count < MAX_MESSAGES; count++) {
    const messages = buildMessages(projectHistory(readHistory(conversation.events())))
    const request = {
      messages,
      tools: parts.executor.definitions(),
      ...parts.settings,
    }
    const answer = await askModel(parts.model, request, { signal: context.signal, show })
    if (!answer) return 'aborted'
    const { message, refused, leftOut } = limitCalls(answer.message, answer.cut)
    await conversation.record(...getEvents({ ...answer, message }))
    await show({ ...answer, message })
    if (leftOut > 0) await show({ type: 'left-out', calls: leftOut })
    if (message.calls.length === 0) return 'completed'
    cut = answer.cut && refused.size === message.calls.length ? cut + 1 : 0
    const deliver = createDeliverer(findContentInRequest(messages, parts.profile).deliveries, {
      ...parts,
      ...parts.delivery,
      turn,
      spent: spentInTurn(conversation.events()),
      readTool: READ_TOOL_RESULT,
    })
    await makeCalls(message.calls, { ...parts, deliver, refused }, show)
    if (context.signal.aborted) return 'aborted'
    if (cut === MAX_TRUNCATED_MESSAGES) return 'cut'
  }
  return 'too-long'
}

/** What comes with a message, as far as the model is given it: a tool that reads the same need not give it again. */
function attached(
  content: readonly ContentBlock[],
  turn: number,
  { context, profile }: Pick<TurnOptions, 'context' | 'profile'>,
): readonly ConversationEvent[] {
  const { resources = [] } = identifyResources(content, context.root)
  const deliveries = deliverMessage(content, resources, { turn, ...(profile && { profile }) })
  return deliveries.length === 0 ? [] : [{ type: 'delivery', deliveries }]
}

/** Turns that were taken back do not count. */
function countTurns(conversation: Conversation): number {
  return readHistory(conversation.events()).entries.at(-1)?.turn ?? 0
}

/** A message without words is kept where there is something else to know of it, such as what it took. */
function getEvents({ message, model, usage }: ModelMessageEvent): readonly ConversationEvent[] {
  const { content, reasoning, calls, _meta } = message
  const isSilent =
    content.length === 0 && [reasoning, _meta, usage].every((given) => given === undefined)
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

/** Calls run side by side, are stored as they end, and are shown and delivered in the order they were asked for. */
async function makeCalls(
  calls: readonly ModelCall[],
  parts: TurnOptions & { deliver: DeliverToModel; refused: LimitedMessage['refused'] },
  show: OnTurnEvent,
): Promise<void> {
  const { executor, context, conversation, deliver, refused, personTime = () => 0 } = parts
  const stop = parts.callsStop?.begin()
  const signal = stop ? AbortSignal.any([context.signal, stop]) : context.signal
  const running = calls.map(async (call, index) => {
    const start = performance.now()
    const result =
      refused.get(index) ??
      (await executor.execute(call, {
        ...context,
        signal,
        onProgress: (progress) => void show({ type: 'progress', call, progress }),
      }))
    const milliseconds = performance.now() - start - personTime(call.id)
    await conversation.record({ type: 'tool_result', result })
    void show({ type: 'ended', call })
    return { result, milliseconds }
  })
  const results: ToolResult[] = []
  // Each is awaited below; one that fails meanwhile is not unhandled.
  for (const each of running) each.catch(() => undefined)
  for (const [index, call] of calls.entries()) {
    await show({ type: 'call', call })
    const done = await running[index]
    if (!done) continue
    const delivered = deliver(done.result, call.name, calls.length - index)
    await conversation.record(delivered.event)
    await show({ type: 'result', call, ...done, delivered })
    results.push(done.result)
  }
  for (const result of results) await answerPeople(result, { ...parts, signal }, show)
  parts.callsStop?.end()
}

/** Has people answer what the live call of a result asks of them, until it asks nothing more; the model gets every step. */
async function answerPeople(
  given: ToolResult,
  parts: TurnOptions & { deliver: DeliverToModel; signal: AbortSignal },
  show: OnTurnEvent,
): Promise<void> {
  const { executor, context, signal, conversation, deliver, personTime = () => 0 } = parts
  let last = given
  for (;;) {
    const start = performance.now()
    const answered = await executor.answerWaiting(last, { ...context, signal })
    if (!answered) return
    const { call, result } = answered
    const milliseconds = performance.now() - start - personTime(call.id)
    await conversation.record({ type: 'tool_call', call }, { type: 'tool_result', result })
    await show({ type: 'call', call })
    const delivered = deliver(result, call.name)
    await conversation.record(delivered.event)
    await show({ type: 'result', call, result, milliseconds, delivered })
    last = result
  }
}
