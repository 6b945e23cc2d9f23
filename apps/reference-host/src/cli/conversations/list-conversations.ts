import {
  type ConversationDescription,
  type ConversationSummary,
  describeConversation,
} from '@toolblocks/conversation-store'
import type { TerminalText } from '@toolblocks/protocol'
import { indentTerminal, joinTerminal, wrapTerminal } from '@toolblocks/renderer'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { EXIT } from '../../process/exit-codes.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { describeFacts, formatTimeSpan } from '@toolblocks/viewer/reading'
import { type ShortenId, readShortIds } from '@toolblocks/viewer/reading'
import { withConversations } from '../../workspace/conversations/with-conversations.ts'

/** The options of `toolblocks conversations list`. */
export interface ListConversationsOptions extends SharedOptions {
  limit?: number
}

/** `toolblocks conversations list`: lists the stored conversations, the most recently written first. */
export async function listConversations(
  context: CommandContext,
  options: ListConversationsOptions,
): Promise<number> {
  const { terminal } = context
  return await withConversations(context, options, async ({ store, name, configuration }) => {
    const { limit, output } = options
    const { conversations, next } = await store.list(limit === undefined ? {} : { limit })
    const more = next !== undefined
    const listed = await Promise.all(
      conversations.map(async (summary): Promise<DescribedConversation> => ({
        ...summary,
        ...(await describeConversation(store, summary.id)),
      })),
    )
    if (output === 'json') terminal.printJson({ conversations: listed, more })
    else if (listed.length === 0)
      terminal.print(terminal.style.plain(`No conversations in ${name}.`))
    else {
      const shorten = await readShortIds(store)
      const { root } = configuration
      const lines = listed.map((one) => describe(one, terminal, { root, shorten }))
      terminal.print(joinTerminal(lines, '\n'))
      if (more) terminal.note(terminal.style.dim('There are more: --limit all shows them.'))
    }
    return EXIT.ok
  })
}

type DescribedConversation = ConversationSummary & ConversationDescription

function describe(
  one: DescribedConversation,
  { style, columns }: Terminal,
  { root, shorten }: { root: string; shorten: ShortenId },
): TerminalText {
  const { id, events, createdAt, updatedAt } = one
  const short = style.cyan(shorten(id))
  const title = one.title === undefined ? short : joinTerminal([style.bold(one.title), short], '  ')
  const facts = [
    ...describeFacts(one, root),
    formatTimeSpan(createdAt, updatedAt),
    `${events} event${events === 1 ? '' : 's'}`,
  ]
  const lines = [title, indentTerminal(style.dim(facts.join(' · ')))]
  return joinTerminal(
    lines.map((line) => wrapTerminal(line, columns, '  ')),
    '\n',
  )
}
