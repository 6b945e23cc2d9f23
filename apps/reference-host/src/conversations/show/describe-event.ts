import type { Compaction, DeliveryEvent, StoredEvent } from '@toolblocks/conversation-store'
import type {
  ContentBlock,
  Delivery,
  InquiryEvent,
  JsonObject,
  ToolResult,
} from '@toolblocks/protocol'

/** What an event says, before it is written for somebody. All strings are as they came. */
export interface DescribedEvent {
  /** What it is, for example `call`. */
  title: string
  /** Of what or whom, for example the name of a tool. */
  name?: string
  /** What else there is to know in the same line. */
  facts: readonly string[]
  parts: readonly EventPart[]
}

/** A part of what an event says. */
export type EventPart =
  | { kind: 'blocks'; content: readonly ContentBlock[] }
  | { kind: 'result'; result: ToolResult }
  | { kind: 'values'; values: JsonObject }

/** Says of an event what it is and what it tells; what only counts, such as the beginning of a turn, tells nothing. */
export function describeEvent(event: StoredEvent['event']): DescribedEvent {
  switch (event.type) {
    case 'turn_start':
      return described('turn', [String(event.turn)])
    case 'user_message':
      return described('user', [], blocks(event.content))
    case 'assistant_message': {
      const { content, reasoning, data } = event
      const thought = reasoning === undefined ? [] : words(`(thought) ${reasoning}`)
      return described('assistant', [], ...thought, blocks(content), ...values({ data }))
    }
    case 'tool_call': {
      const { name, id, arguments: given } = event.call
      return { ...described('call', [id], ...values(given)), name }
    }
    case 'tool_result': {
      const { result } = event
      const led = result.metadata?.conversationId
      const facts = [
        ...(result.id === undefined ? [] : [result.id]),
        ...(led === undefined ? [] : [`conversation ${led}`]),
      ]
      return described('result', facts, { kind: 'result', result })
    }
    case 'question':
      return described('question', [`to ${event.asked}`], ...words(event.question.text))
    case 'answer':
      return describeAnswer(event)
    case 'approval': {
      const { decision, by, reason, arguments: changed } = event
      const parts = [...words(reason), ...values(changed ?? {})]
      return { ...described('approval', [`by ${by}`], ...parts), name: decision }
    }
    case 'delivery':
      return described('delivery', describeDelivery(event))
    case 'configuration':
      return described('configuration', [], ...values(event.values))
    case 'compaction':
      return described('compaction', describeCompaction(event), ...words(event.summary))
    case 'rewind':
      return described('rewind', [`to #${event.to}`])
    case 'unknown':
      return described('written by a newer version', [], ...values({ event: event.value }))
  }
}

function describeDelivery({ callId, deliveries }: DeliveryEvent): readonly string[] {
  const count = (form: Delivery['form']): number =>
    deliveries.filter((delivery) => delivery.form === form).length
  return [
    ...(callId === undefined ? [] : [callId]),
    `resources: ${deliveries.length}`,
    ...(count('reference') === 0 ? [] : [`as references: ${count('reference')}`]),
    ...(count('cut') === 0 ? [] : [`cut: ${count('cut')}`]),
  ]
}

function describeCompaction({
  fromTurn,
  toTurn,
  reasoning,
  toolCalls,
}: Compaction): readonly string[] {
  return [
    `turns ${fromTurn}–${toTurn}`,
    ...(reasoning ? [`reasoning: ${reasoning}`] : []),
    ...(toolCalls ? [`tool calls: ${toolCalls}`] : []),
  ]
}

function describeAnswer(answer: Extract<InquiryEvent, { type: 'answer' }>): DescribedEvent {
  switch (answer.outcome) {
    case 'answered':
      return described('answer', [], ...values({ value: answer.value }))
    case 'redacted':
      return described('answer', ['a secret, which is not recorded'])
    case 'declined':
      return described('answer', ['declined'])
    case 'cancelled':
      return described('answer', [`cancelled: ${answer.reason}`])
  }
}

function described(
  title: string,
  facts: readonly string[],
  ...parts: readonly EventPart[]
): DescribedEvent {
  return { title, facts, parts }
}

function blocks(content: readonly ContentBlock[]): EventPart {
  return { kind: 'blocks', content }
}

function words(text = ''): readonly EventPart[] {
  return text === '' ? [] : [blocks([{ type: 'text', text }])]
}

function values(given: JsonObject): readonly EventPart[] {
  const entries = Object.entries(given).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  )
  return entries.length === 0 ? [] : [{ kind: 'values', values: Object.fromEntries(entries) }]
}
