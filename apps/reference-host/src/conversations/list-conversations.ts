import type { ConversationSummary } from '@toolblocks/conversation-store'
import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal, sanitizeTerminalLine } from '@toolblocks/renderer'
import type { CommandContext, SharedOptions } from '../commands/command-context.ts'
import { EXIT } from '../exit-codes.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { describeSpan } from './show/describe-time.ts'
import { withConversations } from './open/with-conversations.ts'

/** What was typed after `toolblocks conversations list`. */
export interface ListOptions extends SharedOptions {
  limit?: number
}

/** `toolblocks conversations list`: what is kept, the most recently written first. */
export async function listConversations(
  context: CommandContext,
  options: ListOptions,
): Promise<number> {
  const { terminal } = context
  return await withConversations(context, options, async ({ store, name }) => {
    const { limit, output } = options
    const { conversations, next } = await store.list(limit === undefined ? {} : { limit })
    const more = next !== undefined
    if (output === 'json') terminal.printJson({ conversations, more })
    else if (conversations.length === 0)
      terminal.print(terminal.style.plain(`No conversations in ${name}.`))
    else {
      terminal.print(
        joinTerminal(
          conversations.map((summary) => describe(summary, terminal)),
          '\n',
        ),
      )
      if (more) terminal.note(terminal.style.dim('There are more; shown with --limit all.'))
    }
    return EXIT.ok
  })
}

function describe(
  { id, events, createdAt, updatedAt }: ConversationSummary,
  { style }: Terminal,
): TerminalText {
  const facts = `  ${events} event${events === 1 ? '' : 's'} · ${describeSpan(createdAt, updatedAt)}`
  // An id is shown whole: it is what the other commands are given.
  return joinTerminal([sanitizeTerminalLine(id, { longest: Infinity }), style.dim(facts)], '\n')
}
