import type {
  ConversationEvent,
  ConversationStore,
  DatedEvent,
} from '@toolblocks/conversation-store'
import type { JsonObject, Outcome } from '@toolblocks/protocol'

/** A call of a test: its tool, how it ended, and its milliseconds. */
export interface TestCall {
  tool: string
  /** `none`: it has no result. Default: `completed`. */
  outcome?: Outcome | 'none'
  /** Default: 10. */
  took?: number
  /** Milliseconds that a person took of them. */
  waited?: number
}

const dated = (event: ConversationEvent, time: number): DatedEvent => ({
  event,
  at: new Date(time).toISOString(),
})

/** Returns the events of a call, the first one at a time. */
export function makeCall(
  id: string,
  { tool, outcome = 'completed', took = 10, waited = 0 }: TestCall,
  time: number,
): readonly DatedEvent[] {
  const question = { id: 'sure', text: 'Sure?', schema: { type: 'boolean' } }
  const asked: readonly DatedEvent[] =
    waited === 0
      ? []
      : [
          dated({ type: 'question', id: 'q', callId: id, asked: 'user', question }, time),
          dated(
            { type: 'answer', id: 'q', callId: id, action: 'accept', value: true },
            time + waited,
          ),
        ]
  const isError = outcome !== 'completed'
  return [
    dated({ type: 'tool_call', call: { id, name: tool, arguments: {} } }, time),
    ...asked,
    ...(outcome === 'none'
      ? []
      : [
          dated(
            { type: 'tool_result', result: { id, content: [], isError, metadata: { outcome } } },
            time + took,
          ),
        ]),
  ]
}

/** Appends calls to the record of a client, a second apart. */
export async function recordUse(
  store: ConversationStore,
  conversation: string,
  {
    values,
    calls,
    at,
  }: {
    /** The values of its first event. Absent: it has begun. */
    values?: JsonObject
    calls: readonly TestCall[]
    at: number
  },
): Promise<void> {
  const { events } = await store.read(conversation, { before: Infinity, limit: 1 })
  const last = events[0]?.seq ?? 0
  const begun = values ? [dated({ type: 'configuration', values }, at)] : []
  const made = calls.flatMap((call, index) => makeCall(`${last}-${index}`, call, at + index * 1000))
  await store.append(conversation, last, [...begun, ...made])
}

/** Returns the values of the record of a client that credentials have identified. */
export const servedTo = (name: string, id = name): JsonObject => ({
  command: 'serve',
  folder: '/w',
  client: { name: 'codex' },
  identity: { id: JSON.stringify(['client', id]), name },
})
