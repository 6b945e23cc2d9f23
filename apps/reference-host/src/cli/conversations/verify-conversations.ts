import type { ConversationStore } from '@toolblocks/conversation-store'
import type { StoreProblem } from '@toolblocks/conversation-store/internal'
import type { TerminalText } from '@toolblocks/protocol'
import { indentTerminal, joinTerminal, sanitizeTerminalLine } from '@toolblocks/renderer'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { EXIT } from '../../process/exit-codes.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import {
  type OpenConversations,
  withConversation,
  withConversations,
} from '../../workspace/conversations/with-conversations.ts'

/** The problems of one conversation. */
interface Verified {
  id: string
  problems: readonly StoreProblem[]
}

/** `toolblocks conversations verify [ID]`: reads every byte of one conversation, or of all, and reports damage. */
export async function verifyConversations(
  context: CommandContext,
  named: string | undefined,
  options: SharedOptions,
): Promise<number> {
  const { terminal, signal } = context
  const verify = async ({ store, id }: OpenConversations & { id?: string }): Promise<number> => {
    const verified: Verified[] = []
    for await (const each of id === undefined ? readIds(store) : [id]) {
      signal.throwIfAborted()
      verified.push({ id: each, problems: await store.verify(each) })
    }
    const damaged = verified.filter(({ problems }) => problems.length > 0)
    if (options.output === 'json') terminal.printJson(verified)
    else {
      for (const each of damaged) terminal.print(describeDamage(each, terminal))
      terminal.print(summarize(verified.length, damaged.length, terminal))
    }
    return damaged.length === 0 ? EXIT.ok : EXIT.failed
  }
  return named === undefined
    ? await withConversations(context, options, verify)
    : await withConversation(named, { context, options }, verify)
}

async function* readIds(store: ConversationStore): AsyncGenerator<string> {
  let cursor: string | undefined
  do {
    const page = await store.list(cursor === undefined ? {} : { cursor })
    for (const { id } of page.conversations) yield id
    cursor = page.next
  } while (cursor !== undefined)
}

function describeDamage({ id, problems }: Verified, { style }: Terminal): TerminalText {
  const head = [style.red('✗'), sanitizeTerminalLine(id, { maxLength: Infinity })]
  const lines = problems.map(({ message }) => indentTerminal(style.plain(message)))
  return joinTerminal([joinTerminal(head, ' '), ...lines], '\n')
}

function summarize(count: number, damaged: number, { style }: Terminal): TerminalText {
  const conversations = count === 1 ? '1 conversation' : `${count} conversations`
  return damaged === 0
    ? style.green(`✓ ${conversations}, as written`)
    : style.red(`${damaged} of ${conversations} damaged`)
}
