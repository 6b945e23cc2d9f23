import { type HistoryEntry, readHistory, type StoredEvent } from '@toolblocks/conversation-store'
import { type TerminalText, textOf } from '@toolblocks/protocol'
import { joinTerminal, wrapTerminal } from '@toolblocks/renderer'
import { describeCall } from '../../terminal/describe-call.ts'
import { loadAbilities } from '../../terminal/load-abilities.ts'
import { showToPerson } from '../../terminal/show-to-person.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { loadMarkdown, type RenderMarkdown } from './load-markdown.ts'
import { streamMarkdown } from './stream-markdown.ts'

/** Turns that are shown, as far as there is room. */
const TURNS = 2
/** As of a turn that goes on. */
const GUTTER = '  '
const LINES = 12

/** Writes the last turns of a conversation as they were shown, as many rows of them as there is room for, and a line below them. */
export async function describePastTurns(
  events: readonly StoredEvent[],
  terminal: Terminal,
  { root, rows }: { root: string; rows: number },
): Promise<TerminalText | undefined> {
  const { entries } = readHistory(events)
  const last = entries.at(-1)?.turn ?? 0
  const shown = entries.filter(({ turn }) => turn > last - TURNS)
  const render = await loadMarkdown(terminal, root)
  const pieces: TerminalText[] = []
  let left = rows
  for (const entry of shown.toReversed()) {
    const piece = await describeEntry(entry, terminal, { root, render })
    if (piece === undefined) continue
    left -= piece.split('\n').length
    if (left < 0 && pieces.length > 0) break
    pieces.unshift(piece)
  }
  if (pieces.length === 0) return undefined
  const { style, columns } = terminal
  return joinTerminal([...pieces, style.dim('─'.repeat(Math.min(columns, LONGEST)))], '\n')
}

const LONGEST = 120
/** Characters of a message, from its end, that are looked at for what there is room for. */
const LONGEST_MESSAGE = 20_000

async function describeEntry(
  { event }: HistoryEntry,
  terminal: Terminal,
  { root, render }: { root: string; render: RenderMarkdown | undefined },
): Promise<TerminalText | undefined> {
  const { style, columns, sanitize } = terminal
  switch (event.type) {
    case 'user_message': {
      const words = event.content.map((block) => textOf(block) ?? `[${block.type}]`).join('\n')
      const said = joinTerminal([style.dim('› '), sanitize(words)])
      return wrapTerminal(said, columns, GUTTER)
    }
    case 'assistant_message': {
      const words = event.content.map((block) => textOf(block) ?? '').join('\n')
      return words.trim() === '' ? undefined : describeWords(words, terminal, render)
    }
    case 'tool_call':
      return wrapTerminal(describeCall(event.call, 'whole', terminal), columns)
    case 'tool_result': {
      const parts: TerminalText[] = []
      const keep = (text: TerminalText): void => void parts.push(text)
      const abilities = await loadAbilities([event.result], terminal)
      const kept = { ...terminal, columns, print: keep, note: keep }
      showToPerson(event.result, kept, {
        root,
        lines: LINES,
        gutter: GUTTER,
        stderr: 'name',
        hints: {},
        abilities,
      })
      return joinTerminal(parts, '\n')
    }
    case 'turn_start':
    case 'question':
    case 'answer':
    case 'approval':
    case 'delivery':
    case 'configuration':
    case 'compaction':
    case 'rewind':
    case 'unknown':
      return undefined
  }
}

function describeWords(
  words: string,
  { columns, sanitize }: Terminal,
  render: RenderMarkdown | undefined,
): TerminalText {
  if (!render) return wrapTerminal(sanitize(words), columns)
  const written: TerminalText[] = []
  const stream = streamMarkdown({ write: (text) => void written.push(text), columns, render })
  stream.add(words.slice(-LONGEST_MESSAGE))
  stream.finish()
  return joinTerminal(written.at(-1) === '\n' ? written.slice(0, -1) : written)
}
