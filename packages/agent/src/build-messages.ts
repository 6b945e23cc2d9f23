import {
  type HistoryEntry,
  type ProjectedEntry,
  projectHistory,
  type Projection,
  readHistory,
  type StoredEvent,
} from '@toolblocks/conversation-store'
import type { ModelResponse, ResultForModel, ModelCall, ModelMessage } from '@toolblocks/formatter'
import { createSuccessResult, type ModelText, isJsonObject } from '@toolblocks/protocol'

/** A message of the model with the results of its calls, or a message of a person. */
type MessageStep =
  | { role: 'user'; message: ModelMessage }
  | { role: 'assistant'; message: Omit<ModelResponse, 'role' | 'calls'>; calls: CallWithResult[] }

interface CallWithResult {
  seq: number
  call: ModelCall
}

/**
 * Builds the messages of a model request from a conversation. The calls of one message stay together, and each is followed by its result, whatever
 * was recorded between them: calls run in parallel, ask questions, and continue on another host.
 */
export function buildMessages({ entries }: Pick<Projection, 'entries'>): readonly ModelMessage[] {
  const results = new Map<number, ProjectedEntry>()
  for (const entry of entries) if (entry.callSeq !== undefined) results.set(entry.callSeq, entry)
  const steps: MessageStep[] = []
  /** Calls of the last message that have no stored result among the entries until now. While there is one, a further call is of the same message. */
  const open = new Set<number>()
  for (const { event, seq, callSeq, deliveries, synthetic } of entries) {
    switch (event.type) {
      case 'user_message': {
        const { content } = event
        const message = { role: 'user', content, ...(deliveries && { deliveries }) } as const
        steps.push({ role: 'user', message })
        break
      }
      case 'assistant_message': {
        const { content, reasoning, _meta } = event
        const providerFields = {
          ...(reasoning !== undefined && { reasoning }),
          ...(_meta && { _meta }),
        }
        steps.push({ role: 'assistant', message: { content, ...providerFields }, calls: [] })
        open.clear()
        break
      }
      case 'tool_call': {
        const { _meta: meta, ...call }: ModelCall = event.call
        const made = { seq, call: { ...call, ...(isJsonObject(meta) && { _meta: meta }) } }
        const last = steps.at(-1)
        const isSame = last?.role === 'assistant' && (last.calls.length === 0 || open.size > 0)
        if (isSame) last.calls.push(made)
        else {
          steps.push({ role: 'assistant', message: { content: [] }, calls: [made] })
          open.clear()
        }
        open.add(seq)
        break
      }
      case 'tool_result':
        if (callSeq !== undefined && !synthetic) open.delete(callSeq)
        break
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
  return steps.flatMap((step): readonly ModelMessage[] => {
    if (step.role === 'user') return [step.message]
    const calls = step.calls.map(({ call }) => call)
    const message = { role: 'assistant', ...step.message, calls } as const
    const toolResults = step.calls.flatMap(({ call, seq }) => toResult(call, results.get(seq)))
    return [
      ...(isSaid(message) ? [message] : []),
      ...(toolResults.length > 0 ? [{ role: 'tool', results: toolResults } as const] : []),
    ]
  })
}

function toResult(
  { id, name }: ModelCall,
  entry: ProjectedEntry | undefined,
): readonly ResultForModel[] {
  if (entry?.event.type !== 'tool_result') return []
  const { event, text, deliveries } = entry
  return [
    {
      call: { id, name },
      result: event.result,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by a formatter, and kept
      ...(text !== undefined && { text: text as ModelText }),
      ...(deliveries && { deliveries }),
    },
  ]
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
