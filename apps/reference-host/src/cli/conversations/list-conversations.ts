import {
  type ConversationDescription,
  type ConversationStore,
  type ConversationSummary,
  describeConversation,
} from '@toolblocks/conversation-store'
import type { TerminalText } from '@toolblocks/protocol'
import { indentTerminal, joinTerminal, wrapTerminal } from '@toolblocks/renderer'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { formatSuggestions } from '../../terminal/did-you-mean.ts'
import { EXIT } from '../../process/exit-codes.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { describeFacts, formatTimeSpan } from '@toolblocks/viewer/reading'
import { type ShortenId, readShortIds } from '@toolblocks/viewer/reading'
import { withConversations } from '../../workspace/conversations/with-conversations.ts'

/** The options of `toolblocks conversations list`. */
export interface ListConversationsOptions extends SharedOptions {
  limit?: number
  /** The name of a client that was served, as its credentials have proved it. Absent: all conversations. */
  client?: string
}

/** The number of conversations without `--limit`, and of those that are read at the same time. */
const LISTED = 50

/** `toolblocks conversations list`: lists the stored conversations, the most recently written first. */
export async function listConversations(
  context: CommandContext,
  options: ListConversationsOptions,
): Promise<number> {
  const { terminal } = context
  return await withConversations(context, options, async ({ store, name, configuration }) => {
    const { limit = LISTED, client, output } = options
    const { listed, more, clients } = await readList(store, { limit, client })
    if (output === 'json') terminal.printJson({ conversations: listed, more })
    else if (listed.length === 0 && client !== undefined) {
      const known = formatSuggestions(client, clients, 'its clients are')
      terminal.print(
        terminal.sanitize(`No conversations of the client "${client}" in ${name}${known}.`),
      )
    } else if (listed.length === 0)
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

/**
 * Reads the conversations to list, all or those of one client. `more`: whether there are others. `clients`: the names of all clients in what was
 * read.
 */
async function readList(
  store: Pick<ConversationStore, 'list' | 'read'>,
  { limit, client }: { limit: number; client: string | undefined },
): Promise<{
  listed: readonly DescribedConversation[]
  more: boolean
  clients: readonly string[]
}> {
  const all: DescribedConversation[] = []
  const isListed = ({ servedTo }: DescribedConversation): boolean =>
    client === undefined || servedTo === client
  // Without a client, the next page does not have to be read to know that there are more.
  const wanted = client === undefined ? limit : limit + 1
  let cursor: string | undefined
  do {
    const page = await store.list({
      limit: Math.min(wanted, LISTED),
      ...(cursor !== undefined && { cursor }),
    })
    const described = page.conversations.map(async (summary) => ({
      ...summary,
      ...(await describeConversation(store, summary.id)),
    }))
    all.push(...(await Promise.all(described)))
    cursor = page.next
  } while (cursor !== undefined && all.filter(isListed).length < wanted)
  const fitting = all.filter(isListed)
  return {
    listed: fitting.slice(0, limit),
    more: fitting.length > limit || (client === undefined && cursor !== undefined),
    clients: all.flatMap(({ servedTo = [] }) => servedTo),
  }
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
