import {
  type HistoryEntry,
  projectHistory,
  type Projection,
  readHistory,
  type StoredEvent,
} from '@toolblocks/conversation-store'
import type { ModelResponse, ResultForModel, ModelCall, ModelMessage } from '@toolblocks/formatter'
import { createSuccessResult, type ModelText } from '@toolblocks/protocol'
import { isJsonObject } from '@toolblocks/protocol/json'

/** Builds the messages of a model request from a conversation. Results stay together, in the order of their calls. */
export function buildMessages({ entries }: Pick<Projection, 'entries'>): readonly ModelMessage[] {
  const messages: ModelMessage[] = []
  let calls: ModelCall[] = []
  let results = new Map<string, ResultForModel>()

  function close(): void {
    if (results.size > 0)
      messages.push({ role: 'tool', results: calls.flatMap(({ id }) => results.get(id) ?? []) })
    calls = []
    results = new Map()
  }

  /** A message to which calls can still be added. */
  function openMessage(message: Omit<ModelResponse, 'role' | 'calls'>): void {
    close()
    messages.push({ role: 'assistant', ...message, calls })
  }

  for (const { event, text, deliveries } of entries) {
    switch (event.type) {
      case 'user_message':
        close()
        messages.push({ role: 'user', content: event.content, ...(deliveries && { deliveries }) })
        break
      case 'assistant_message': {
        const { content, reasoning, _meta } = event
        openMessage({
          content,
          ...(reasoning !== undefined && { reasoning }),
          ...(_meta && { _meta }),
        })
        break
      }
      case 'tool_call': {
        if (results.size > 0 || messages.at(-1)?.role !== 'assistant') openMessage({ content: [] })
        const { _meta: meta, ...call }: ModelCall = event.call
        calls.push({ ...call, ...(isJsonObject(meta) && { _meta: meta }) })
        break
      }
      case 'tool_result': {
        const call = calls.find(({ id }) => id === event.result.id)
        if (call)
          results.set(call.id, {
            call: { id: call.id, name: call.name },
            result: event.result,
            // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by a formatter, and kept
            ...(text !== undefined && { text: text as ModelText }),
            ...(deliveries && { deliveries }),
          })
        break
      }
      case 'turn_start':
      case 'question':
      case 'answer':
      case 'approval':
      case 'delivery':
      case 'configuration':
      case 'compaction':
      case 'rewind':
      case 'unknown':
        break
    }
  }
  close()
  return messages.filter((message) => message.role !== 'assistant' || isSaid(message))
}

/** Providers reject a message that has only token usage. */
function isSaid({ content, reasoning, calls, _meta }: ModelResponse): boolean {
  return content.length > 0 || calls.length > 0 || reasoning !== undefined || _meta !== undefined
}

/**
 * Builds the same messages while calls of the last message are still running, for example the call that asks a question. Their results are marked
 * as pending.
 */
export function buildMessagesDuringCalls(events: readonly StoredEvent[]): readonly ModelMessage[] {
  const { entries } = readHistory(events)
  const turn = entries.at(-1)?.turn
  const pending = entries.map((entry) =>
    entry.synthetic && entry.turn === turn ? toPendingEntry(entry) : entry,
  )
  return buildMessages(projectHistory({ entries: pending }))
}

const PENDING = 'This call is still running and has no result yet.'

function toPendingEntry(entry: HistoryEntry): HistoryEntry {
  const { event } = entry
  if (event.type !== 'tool_result') return entry
  const result = createSuccessResult([{ type: 'text', text: PENDING }], event.result.id)
  return { ...entry, event: { ...event, result } }
}
