import type { SearchHit } from '@toolblocks/conversation-store'
import type { TerminalText } from '@toolblocks/protocol'
import { indentTerminal, joinTerminal, sanitizeTerminalLine } from '@toolblocks/renderer'
import type { CommandContext, SharedOptions } from '../../commands/command-context.ts'
import { EXIT } from '../../exit-codes.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { describeMinute } from '../show/describe-time.ts'
import { markWords, searchWords } from './mark-words.ts'
import { withConversation } from '../open/with-conversation.ts'
import { type OpenConversations, withConversations } from '../open/with-conversations.ts'

/** What was typed after `toolblocks conversations search TEXT`. */
export interface SearchOptions extends SharedOptions {
  /** Only in this conversation. */
  in?: string
  limit?: number
}

/** `toolblocks conversations search TEXT`: the events with all of some words, the last ones first. */
export async function searchConversations(
  context: CommandContext,
  text: string,
  options: SearchOptions,
): Promise<number> {
  const { terminal } = context
  const { in: conversation, limit, output } = options
  const words = searchWords(text)
  if (words.length === 0) {
    const message = `there is no word in ${JSON.stringify(text)}; expected letters or digits`
    terminal.complain('error', message)
    return EXIT.usage
  }
  const search = async ({ store }: OpenConversations): Promise<number> => {
    const hits = await store.search({
      text,
      ...(conversation !== undefined && { conversation }),
      ...(limit !== undefined && { limit }),
    })
    if (output === 'json') terminal.printJson(hits)
    else if (hits.length === 0) terminal.note(terminal.style.dim('Nothing was found.'))
    else
      terminal.print(
        joinTerminal(
          hits.map((hit) => describeHit(hit, words, terminal)),
          '\n',
        ),
      )
    return EXIT.ok
  }
  return conversation === undefined
    ? await withConversations(context, options, search)
    : await withConversation(conversation, { context, options }, search)
}

function describeHit(
  { conversation, seq, at, type, excerpt }: SearchHit,
  words: readonly string[],
  { style }: Terminal,
): TerminalText {
  const place = [
    sanitizeTerminalLine(conversation, { longest: Infinity }),
    style.cyan(`#${seq}`),
    style.dim(`${type} · ${describeMinute(at)} UTC`),
  ]
  return joinTerminal(
    [joinTerminal(place, ' '), indentTerminal(markWords(excerpt, words, style))],
    '\n',
  )
}
