import type { CommandContext, SharedOptions } from '../../commands/command-context.ts'
import { EXIT } from '../../exit-codes.ts'
import { findConversation } from './find-conversation.ts'
import { type OpenConversations, withConversations } from './with-conversations.ts'

/** A conversation in its store. */
export interface OpenedConversation extends OpenConversations {
  /** Whole, however much of it was typed. */
  id: string
}

/** Goes on with the conversation that is meant; where there is none, it says so, with the id that was probably meant. */
export async function withConversation(
  typed: string,
  { context, options }: { context: CommandContext; options: SharedOptions },
  use: (opened: OpenedConversation) => Promise<number>,
): Promise<number> {
  return await withConversations(context, options, async (opened) => {
    const { store, name } = opened
    const found = await findConversation(store, typed, { name })
    if (found.ok) return await use({ ...opened, id: found.id })
    context.terminal.complain('error', found.message)
    return EXIT.usage
  })
}
