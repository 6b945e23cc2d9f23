import { createHash } from 'node:crypto'
import type { HistoryEntry } from '@toolblocks/conversation-store'
import type { ToolCall } from '@toolblocks/protocol'
import { DELEGATE } from './names.ts'
import type { Conversation } from './open-conversation.ts'

/** Returns the id of the conversation of an agent. It is known before the agent starts, so that another host finds it. */
export function getAgentConversation(conversation: Conversation, call: string): string {
  const made = conversation
    .events()
    .findLast(({ event }) => event.type === 'tool_call' && event.call.id === call)
  const hash = createHash('sha256').update(`${conversation.id} ${made?.seq ?? 0} ${call}`)
  const hex = hash.digest('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`]
  return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}

/** Finds the calls of a turn whose agents have begun conversations of their own. */
export async function findDelegatedCalls(
  conversation: Conversation,
  entries: readonly HistoryEntry[],
): Promise<(call: ToolCall) => boolean> {
  const started = new Set<string>()
  for (const { event } of entries) {
    if (event.type !== 'tool_call' || event.call.name !== DELEGATE) continue
    const { id } = event.call
    const { events } = await conversation.store.read(getAgentConversation(conversation, id))
    if (events.length > 0) started.add(id)
  }
  return ({ id }) => started.has(id)
}
