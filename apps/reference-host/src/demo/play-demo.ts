import type { ConversationEvent } from '@toolblocks/conversation-store'
import type { CallContext, ToolCall, ToolResult } from '@toolblocks/protocol'
import type { ToolExecutor } from '@toolblocks/tool-executor'
import type { Delivered, DeliverToModel } from '../model/create-deliverer.ts'
import type { Model } from '../model/model.ts'
import type { PersonTime } from '../terminal/person-time.ts'
import type { RecordEvents } from '../record-events.ts'

/** What the demo is made of. */
export interface DemoParts {
  executor: ToolExecutor
  record: RecordEvents
  deliver: DeliverToModel
  context: CallContext
  model: Model
  question: string
  personTime: PersonTime
}

/** One thing worth showing while the demo plays. */
export type DemoMoment =
  | { type: 'question'; text: string }
  | { type: 'words'; text: string }
  | { type: 'call'; call: ToolCall }
  /** The time is the call's, without a person's. */
  | {
      type: 'result'
      call: ToolCall
      milliseconds: number
      result: ToolResult
      delivered: Delivered
    }

/** Plays the model against the tools, stores every event, and shows every moment as it comes, until the model rests or it is aborted. */
export async function playDemo(
  parts: DemoParts,
  show: (moment: DemoMoment) => void,
): Promise<void> {
  const { record } = parts
  show({ type: 'question', text: parts.question })
  await record({ type: 'turn_start', turn: 1 }, textEvent('user_message', parts.question))
  let results: readonly ToolResult[] = []
  for (;;) {
    const { text, calls } = await parts.model(results)
    if (text !== '') {
      show({ type: 'words', text })
      await record(textEvent('assistant_message', text))
    }
    if (calls.length === 0) return
    await record(...calls.map((call): ConversationEvent => ({ type: 'tool_call', call })))
    const answered = await makeCalls(calls, parts, show)
    await record(...answered.flatMap(toEvents))
    results = answered.map(({ result }) => result)
    if (parts.context.signal.aborted) return
  }
}

/** What came of a call, and what the model was given of it. */
interface Answered {
  result: ToolResult
  delivered: Delivered
}

function toEvents({ result, delivered }: Answered): readonly ConversationEvent[] {
  return [{ type: 'tool_result', result }, delivered.event]
}

/** Calls run side by side and are shown in the order they were asked for. */
async function makeCalls(
  calls: readonly ToolCall[],
  { executor, context, personTime, deliver }: DemoParts,
  show: (moment: DemoMoment) => void,
): Promise<readonly Answered[]> {
  const running = calls.map(async (call) => {
    const start = performance.now()
    const result = await executor.execute(call, context)
    return { result, milliseconds: performance.now() - start - personTime.of(call.id) }
  })
  const answered: Answered[] = []
  for (const [index, call] of calls.entries()) {
    show({ type: 'call', call })
    const done = await running[index]
    if (!done) continue
    const delivered = deliver(done.result, call.name)
    show({ type: 'result', call, ...done, delivered })
    answered.push({ result: done.result, delivered })
  }
  return answered
}

function textEvent(type: 'user_message' | 'assistant_message', text: string): ConversationEvent {
  return { type, content: [{ type: 'text', text }] }
}
