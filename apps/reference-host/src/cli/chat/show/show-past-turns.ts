import { type HistoryEntry, readHistory, type StoredEvent } from '@toolblocks/conversation-store'
import { type TerminalText, getText, type ToolResult } from '@toolblocks/protocol'
import { joinTerminal, wrapTerminal } from '@toolblocks/renderer'
import { describeCall, renderRows } from '../../../terminal/describe-call.ts'
import { loadAbilities, showToPerson } from '../../../terminal/show-to-person.ts'
import type { Terminal } from '../../../terminal/terminal.ts'
import { type RenderMarkdown, loadMarkdown, streamMarkdown } from './stream-markdown.ts'

/** The maximum number of turns that are shown. */
const TURNS = 2
/** The indent of a running turn. */
const GUTTER = '  '
const LINES = 12

/**
 * Renders the last turns of a conversation as they were shown, as many rows as fit, and a line below them. Calls of a turn that `continues` have no
 * result yet.
 */
export async function describePastTurns(
  events: readonly StoredEvent[],
  terminal: Terminal,
  { root, rows, continues = false }: { root: string; rows: number; continues?: boolean },
): Promise<TerminalText | undefined> {
  const { entries } = readHistory(events)
  const last = entries.at(-1)?.turn ?? 0
  const pastEntries = entries.filter(({ turn }) => turn > last - TURNS)
  const results = pairResults(
    continues ? pastEntries.filter(({ synthetic }) => !synthetic) : pastEntries,
  )
  const render = await loadMarkdown(terminal, root)
  const { style, columns } = terminal
  let shownRows: readonly TerminalText[] = []
  for (const entry of pastEntries.toReversed()) {
    const piece = await describeEntry(entry, terminal, { root, render, result: results.get(entry) })
    if (piece === undefined) continue
    shownRows = [...renderRows(piece, columns), ...shownRows]
    if (shownRows.length > rows) break
  }
  if (shownRows.length === 0) return undefined
  const isCut = shownRows.length > rows
  const fitting = isCut ? [style.dim('…'), ...shownRows.slice(1 - rows)] : shownRows
  return joinTerminal([...fitting, style.dim('─'.repeat(Math.min(columns, MAX_LENGTH)))], '\n')
}

/** Pairs calls with their results: the calls ran in parallel, and were shown one after the other. */
function pairResults(entries: readonly HistoryEntry[]): ReadonlyMap<HistoryEntry, ToolResult> {
  const open = new Map<string, HistoryEntry>()
  const pairs = new Map<HistoryEntry, ToolResult>()
  for (const entry of entries) {
    const { event } = entry
    if (event.type === 'tool_call') open.set(event.call.id, entry)
    const call = event.type === 'tool_result' ? open.get(event.result.id ?? '') : undefined
    if (call && event.type === 'tool_result') pairs.set(call, event.result)
  }
  return pairs
}

const MAX_LENGTH = 120
/** The maximum number of characters of a message, from its end, that are rendered to fill the space. */
const MAX_MESSAGE_LENGTH = 20_000

async function describeEntry(
  { event }: HistoryEntry,
  terminal: Terminal,
  {
    root,
    render,
    result,
  }: { root: string; render: RenderMarkdown | undefined; result: ToolResult | undefined },
): Promise<TerminalText | undefined> {
  const { style, columns, sanitize } = terminal
  switch (event.type) {
    case 'user_message': {
      const text = event.content.map((block) => getText(block) ?? `[${block.type}]`).join('\n')
      const message = joinTerminal([style.dim('› '), sanitize(text)])
      return wrapTerminal(message, columns, GUTTER)
    }
    case 'assistant_message': {
      const text = event.content.map((block) => getText(block) ?? '').join('\n')
      return text.trim() === '' ? undefined : describeWords(text, terminal, render)
    }
    case 'tool_call': {
      const parts = [wrapTerminal(describeCall(event.call, 'whole', terminal), columns)]
      if (!result) return joinTerminal(parts)
      const keep = (text: TerminalText): void => void parts.push(text)
      const abilities = await loadAbilities([result], terminal)
      const kept = { ...terminal, columns, print: keep, note: keep }
      showToPerson(result, kept, {
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
    case 'tool_result':
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
  message: string,
  { columns, sanitize }: Terminal,
  render: RenderMarkdown | undefined,
): TerminalText {
  if (!render) return wrapTerminal(sanitize(message), columns)
  const written: TerminalText[] = []
  const stream = streamMarkdown({ write: (text) => void written.push(text), columns, render })
  stream.add(message.slice(-MAX_MESSAGE_LENGTH))
  stream.finish()
  return joinTerminal(written.at(-1) === '\n' ? written.slice(0, -1) : written)
}
