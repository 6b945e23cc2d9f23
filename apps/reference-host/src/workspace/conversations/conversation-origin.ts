import type { ConversationEvent, StoredEvent } from '@toolblocks/conversation-store'

/** Which use of the command a conversation was begun by, and where. */
export interface ConversationOrigin {
  command: 'chat' | 'run' | 'call' | 'serve'
  /** The absolute path of the folder that the tools work in. */
  folder: string
  /** The model that is asked, as its provider calls it; absent where none is. */
  model?: string
}

/** The first event of a conversation that this command begins. */
export function beginConversation({
  command,
  folder,
  model,
}: ConversationOrigin): Extract<ConversationEvent, { type: 'configuration' }> {
  return {
    type: 'configuration',
    values: { command, folder, ...(model !== undefined && { model }) },
  }
}

/**
 * What is to be recorded of a conversation before a turn: how it begins where it has no events, and the model where it is
 * not the one that was recorded last.
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
