import type { TerminalText } from '@toolblocks/protocol'
import { MAX_SEARCH_TEXT_LENGTH } from '@toolblocks/protocol/internal'
import {
  type TerminalStyle,
  indentTerminal,
  joinTerminal,
  wrapTerminal,
} from '@toolblocks/renderer'
import {
  type ShortenId,
  type TitledHit,
  addTitles,
  formatMinute,
  readShortIds,
} from '@toolblocks/viewer/reading'
import { EXIT } from '../../../process/exit-codes.ts'
import type { CommandContext, SharedOptions } from '../../../terminal/command-context.ts'
import type { Terminal } from '../../../terminal/terminal.ts'
import {
  type OpenConversations,
  withConversation,
  withConversations,
} from '../../../workspace/conversations/with-conversations.ts'

/** The options of `toolblocks conversations search TEXT`. */
export interface SearchOptions extends SharedOptions {
  /** Search only in this conversation. */
  in?: string
  limit?: number
}

/** `toolblocks conversations search TEXT`: finds the events that contain all of the words, the last ones first. */
export async function searchConversations(
  context: CommandContext,
  text: string,
  options: SearchOptions,
): Promise<number> {
  const { terminal } = context
  const { in: conversation, limit, output } = options
  const terms = searchWords(text)
  if (terms.length === 0) {
    const message = `${JSON.stringify(text)} contains no word; expected letters or digits`
    terminal.report('error', message)
    return EXIT.usage
  }
  if (text.length > MAX_SEARCH_TEXT_LENGTH) {
    const message = `the text has ${text.length.toLocaleString('en')} characters; expected at most ${MAX_SEARCH_TEXT_LENGTH}: search for fewer words`
    terminal.report('error', message)
    return EXIT.usage
  }
  const search = async ({ store, id }: OpenConversations & { id?: string }): Promise<number> => {
    const matches = await store.search({
      text,
      ...(id !== undefined && { conversation: id }),
      ...(limit !== undefined && { limit }),
    })
    const hits = await addTitles(store, matches)
    if (output === 'json') terminal.printJson(hits)
    else if (hits.length === 0) terminal.note(terminal.style.dim('Nothing was found.'))
    else {
      const shorten = await readShortIds(store)
      const lines = hits.map((hit) => describeHit(hit, terminal, { terms, shorten }))
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
  { terms, shorten }: { terms: readonly string[]; shorten: ShortenId },
): TerminalText {
  const heading = [
    ...(title === undefined ? [] : [style.plain(title)]),
    style.cyan(`${shorten(conversation)} #${seq}`),
    style.dim(`${type.replaceAll('_', ' ')} · ${formatMinute(at)} UTC`),
  ]
  const lines = [joinTerminal(heading, '  '), indentTerminal(markWords(excerpt, terms, style))]
  return joinTerminal(
    lines.map((line) => wrapTerminal(line, columns, '  ')),
    '\n',
  )
}

/** Splits a text into words for a search: sequences of letters and digits. */
export function searchWords(text: string): readonly string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}

/** Renders a line from outside with some words in bold, at any place in it and in any case. */
export function markWords(
  line: string,
  terms: readonly string[],
  { plain, bold }: Pick<TerminalStyle, 'plain' | 'bold'>,
): TerminalText {
  if (terms.length === 0) return plain(line)
  const longestFirst = terms.toSorted((one, other) => other.length - one.length)
  // Words are letters and digits, so no character has a meaning in a pattern.
  const pieces = line.split(new RegExp(`(${longestFirst.join('|')})`, 'iu'))
  // The split keeps the separators: each odd piece is a found word.
  return joinTerminal(pieces.map((piece, index) => (index % 2 === 1 ? bold(piece) : plain(piece))))
}
