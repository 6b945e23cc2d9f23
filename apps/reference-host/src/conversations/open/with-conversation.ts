import { type ConversationStore, StoreError } from '@toolblocks/conversation-store'
import type { CommandContext, SharedOptions } from '../../commands/command-context.ts'
import { didYouMean } from '../../did-you-mean.ts'
import { EXIT } from '../../exit-codes.ts'
import { type OpenConversations, withConversations } from './with-conversations.ts'

/** Ids among which the one that was meant is looked for. */
const MOST = 10_000

/** Goes on with one conversation; where there is none, it says so, with the id that was probably meant. */
export async function withConversation(
  id: string,
  { context, options }: { context: CommandContext; options: SharedOptions },
  use: (opened: OpenConversations) => Promise<number>,
): Promise<number> {
  return await withConversations(context, options, async (opened) => {
    const { store, name } = opened
    if (await isThere(store, id)) return await use(opened)
    const { conversations } = await store.list({ limit: MOST })
    const ids = conversations.map((summary) => summary.id)
    const message = `no conversation ${JSON.stringify(id)} in ${name}${didYouMean(id, ids) || SEE}`
    context.terminal.complain('error', message)
    return EXIT.usage
  })
}

const SEE = '; "toolblocks conversations list" shows what there is'

/** What is damaged is there, too. */
async function isThere(store: ConversationStore, id: string): Promise<boolean> {
  try {
    return (await store.read(id, { limit: 0 })).more
  } catch (error) {
    if (error instanceof StoreError && error.code === 'damaged') return true
    throw error
  }
}
