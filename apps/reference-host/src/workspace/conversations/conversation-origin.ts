import type { ConversationEvent, StoredEvent } from '@toolblocks/conversation-store'
import type { JsonObject } from '@toolblocks/protocol'

/** The use of the command that started a conversation, and its folder. */
export interface ConversationOrigin {
  command: 'chat' | 'run' | 'call' | 'serve'
  /** The absolute path of the folder that the tools work in. */
  folder: string
  /** The provider's name of the model. Absent without a model. */
  model?: string
  /** The client that is served, as it names itself. */
  client?: JsonObject
  /** Who the client is, as its credentials prove it. */
  identified?: { id: string; name: string }
  /** Whose calls are refused here, if the conversation is not for this client to read: it does not belong to it. */
  refused?: { id: string; name: string }
  /** The IP address from which the client has sent its first call. */
  address?: string
}

/** Creates the first event of a conversation that this command starts. */
export function beginConversation({
  command,
  folder,
  model,
  client,
  identified,
  refused,
  address,
}: ConversationOrigin): Extract<ConversationEvent, { type: 'configuration' }> {
  return {
    type: 'configuration',
    values: {
      command,
      folder,
      ...(model !== undefined && { model }),
      ...(client !== undefined && { client }),
      ...(identified && { identity: { id: identified.id, name: identified.name } }),
      // The name for lists. Without an id, nobody who signs in has the conversation.
      ...(refused && { identity: { name: refused.name }, refused: refused.id }),
      ...(address !== undefined && { address }),
    },
  }
}

/**
 * Returns the events to record before a turn: the start, if the conversation has no events, and the model, if it differs from the last recorded
 * one.
 */
export function eventsBeforeTurn(
  known: readonly StoredEvent[],
  origin: ConversationOrigin,
): readonly ConversationEvent[] {
  if (known.length === 0) return [beginConversation(origin)]
  const { model } = origin
  if (model === undefined || lastModel(known) === model) return []
  return [{ type: 'configuration', values: { model } }]
}

function lastModel(known: readonly StoredEvent[]): unknown {
  const last = known.findLast(
    ({ event }) => event.type === 'configuration' && Object.hasOwn(event.values, 'model'),
  )
  return last?.event.type === 'configuration' ? last.event.values['model'] : undefined
}
