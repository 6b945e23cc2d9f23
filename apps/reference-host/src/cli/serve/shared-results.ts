import { createHmac, randomUUID } from 'node:crypto'
import { type ConversationStore, createReadToolResult } from '@toolblocks/conversation-store'
import type { ServedClient } from '@toolblocks/mcp-bridge/server'
import type { Tool } from '@toolblocks/protocol'

/**
 * Creates the id of a conversation of a client without a session. Its beginning is the same in each process that serves the store, and another
 * client cannot have it, so each process can read the results that another one has given to the client.
 */
export function createConversationId(
  key: Uint8Array,
  { identity, info }: Pick<ServedClient, 'identity' | 'info'>,
): string {
  const owner = createHmac('sha256', key).update(JSON.stringify([identity, info?.['name']]))
  return `${owner.digest('hex').slice(0, OWNER)}-${randomUUID()}`
}

/** Characters of the beginning of such an id. */
const OWNER = 32

/** Returns the name of a result for `read_tool_result` of any process: the id of its conversation and that of its call. */
export function nameResult(conversation: string, call: string): string {
  return `${conversation}/${call}`
}

/** Creates `read_tool_result` for a client without a session. It also reads what the client got from other processes of the store. */
export function createReadSharedResult(store: ConversationStore, conversation: string): Tool {
  const own = createReadToolResult(store, conversation)
  const owner = conversation.slice(0, OWNER + 1)
  return {
    ...own,
    execute: async (call, context) => {
      const [from, id] = String(call.arguments['call']).split('/')
      if (from === undefined || id === undefined || !from.startsWith(owner))
        return await own.execute(call, context)
      const ownCall = { ...call, arguments: { ...call.arguments, call: id } }
      return await createReadToolResult(store, from).execute(ownCall, context)
    },
  }
}
