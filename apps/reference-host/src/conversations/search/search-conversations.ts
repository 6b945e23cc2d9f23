import type { TerminalText } from '@toolblocks/protocol'
import { indentTerminal, joinTerminal, wrapTerminal } from '@toolblocks/renderer'
import type { CommandContext, SharedOptions } from '../../commands/command-context.ts'
import { EXIT } from '../../exit-codes.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { describeMinute } from '@toolblocks/viewer/reading'
import { addTitles, type TitledHit } from '@toolblocks/viewer/reading'
import { markWords, searchWords } from './mark-words.ts'
import { type ShortenId, shortIdsOf } from '@toolblocks/viewer/reading'
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
  const search = async ({ store, id }: OpenConversations & { id?: string }): Promise<number> => {
    const found = await store.search({
      text,
      ...(id !== undefined && { conversation: id }),
      ...(limit !== undefined && { limit }),
    })
    const hits = await addTitles(store, found)
    if (output === 'json') terminal.printJson(hits)
    else if (hits.length === 0) terminal.note(terminal.style.dim('Nothing was found.'))
    else {
      const shorten = await shortIdsOf(store)
      const lines = hits.map((hit) => describeHit(hit, terminal, { words, shorten }))
      terminal.print(joinTerminal(lines, '\n'))
    }
    return EXIT.ok
  }
  return conversation === undefined
    ? await withConversations(context, options, search)
    : await withConversation(conversation, { context, options }, search)
}

function describeHit(
  { conversation, title, seq, at, type, excerpt }: TitledHit,
  { style, columns }: Terminal,
  { words, shorten }: { words: readonly string[]; shorten: ShortenId },
): TerminalText {
  const place = [
    ...(title === undefined ? [] : [style.plain(title)]),
    style.cyan(`${shorten(conversation)} #${seq}`),
    style.dim(`${type.replaceAll('_', ' ')} · ${describeMinute(at)} UTC`),
  ]
  const lines = [joinTerminal(place, '  '), indentTerminal(markWords(excerpt, words, style))]
  return joinTerminal(
    lines.map((line) => wrapTerminal(line, columns, '  ')),
    '\n',
  )
}
