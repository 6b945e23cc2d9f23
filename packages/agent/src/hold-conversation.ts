import { acquireLease, type LeaseOptions } from '@toolblocks/conversation-store'
import type { Conversation } from './open-conversation.ts'

/** The host of an agent, as other hosts of the store see it; see `LeaseOptions`. */
export type AgentHost = Pick<LeaseOptions, 'holder' | 'durationMs' | 'isGone'>

/** Thrown if another host runs a turn of the conversation. */
export class ConversationHeld extends Error {
  override name = 'ConversationHeld'
  /** The id of the conversation. */
  readonly conversation: string
  /** The name of the other host. */
  readonly holder: string

  constructor(conversation: string, holder: string) {
    super(`Another host (${holder}) runs a turn of the conversation "${conversation}".`)
    this.conversation = conversation
    this.holder = holder
  }
}

/** The reason with which a turn aborts when another host has taken its conversation. */
export class ConversationLost extends Error {
  override name = 'ConversationLost'
}

/**
 * Runs work while this host holds the lease of a conversation. The conversation then has all events that other hosts have added. The signal of the
 * work aborts with a `ConversationLost` when the lease is lost.
 *
 * @throws ConversationHeld
 */
export async function holdConversation<Value>(
  conversation: Conversation,
  { signal, ...host }: AgentHost & { signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const { documents } = conversation.store
  const acquired = await acquireLease(documents, conversation.id, { ...host, signal })
  if (!acquired.ok) throw new ConversationHeld(conversation.id, acquired.holder)
  const { lease } = acquired
  const lost = new AbortController()
  lease.lost.addEventListener('abort', () =>
    lost.abort(new ConversationLost(`Another host continues "${conversation.id}".`)),
  )
  try {
    await conversation.refresh()
    return await work(AbortSignal.any([signal, lost.signal]))
  } finally {
    await lease.release()
  }
}
