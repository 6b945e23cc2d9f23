import {
  type ConversationDescription,
  type History,
  type HistoryEntry,
  type StoredEntry,
  describeConversation,
  projectHistory,
} from '@toolblocks/conversation-store'
import { entryToJson, isLostEvent } from '@toolblocks/conversation-store/internal'
import type { FormatOptions } from '@toolblocks/formatter'
import { listPendingQuestions } from '@toolblocks/inquiry/pending'
import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal, wrapTerminal } from '@toolblocks/renderer'
import {
  createUsageSum,
  describeFacts,
  describeUsageSum,
  placeUndone,
  readCards,
  estimateTokens,
} from '@toolblocks/viewer/reading'
import { EXIT } from '../../../process/exit-codes.ts'
import type { CommandContext, SharedOptions } from '../../../terminal/command-context.ts'
import { loadAbilities } from '../../../terminal/show-to-person.ts'
import type { Terminal } from '../../../terminal/terminal.ts'
import { formatOptions } from '../../../workspace/configuration/agent-settings.ts'
import { type ReadTurns } from '../../../workspace/conversations/read-turns.ts'
import {
  loadConversation,
  selectTurns,
} from '../../../workspace/conversations/load-conversation.ts'
import { withConversation } from '../../../workspace/conversations/with-conversations.ts'
import { renderCards, getCardResults } from './render-cards.ts'

/** The options of `toolblocks conversations show ID`. */
export interface ShowConversationOptions extends SharedOptions {
  turns?: ReadTurns
  /** The maximum number of lines of one block. */
  lines?: number
  /** Whether to show what a model receives of the conversation. */
  modelView?: boolean
  /** Whether to count the tokens that references and cuts have saved. */
  tokens?: boolean
}

/** `toolblocks conversations show ID`: shows the current history: without undone turns, and with a result for every call. */
export async function showConversation(
  context: CommandContext,
  named: string,
  options: ShowConversationOptions,
): Promise<number> {
  const { terminal, signal } = context
  return await withConversation(
    named,
    { context, options },
    async ({ store, configuration, settings: { prices = {} }, id }) => {
      const loaded = await loadConversation(store, id, { signal })
      const { unpaired: aside, undone, damaged } = loaded
      // The event that compacts a turn may come much later than the turn.
      const all = options.modelView
        ? await toModelView(loaded, formatOptions(configuration))
        : loaded.entries
      const entries = selectTurns(all, options.turns)
      const whole = selectTurns(loaded.entries, options.turns)
      const about = await describeConversation(store, id)
      const usage = createUsageSum()
      for (const { event } of whole) usage.add(event)
      const { questions: pending } = await listPendingQuestions(
        { conversation: id },
        { storage: store.documents },
      )
      if (options.output === 'json') {
        const rest = {
          waiting: pending.filter(({ state }) => state === 'open'),
          aside: aside.map(entryToJson),
          undone: undone.map(entryToJson),
          damaged: damaged.map(entryToJson),
        }
        const tokens = options.tokens ? { tokens: countTokens(whole) } : {}
        const byModel = usage.byModel()
        const took = byModel.size === 0 ? {} : { usage: Object.fromEntries(byModel) }
        terminal.printJson({ id, ...about, entries, ...rest, ...tokens, ...took })
        return getCode(damaged)
      }
      const cards = readCards(entries, pending)
      const view = {
        root: about.folder ?? configuration.root,
        lines: options.lines,
        calls: options.modelView ? ('given' as const) : ('read' as const),
      }
      const abilities = await loadAbilities(getCardResults(cards, view), terminal)
      // A model does not receive what was taken back.
      const isWhole = options.turns === undefined && !options.modelView
      const cardsWithUndone = placeUndone(cards, isWhole ? undone : [])
      const parts = renderCards([...cardsWithUndone], terminal, { ...view, abilities })
      if (parts.length === 0) terminal.note(terminal.style.dim('There is nothing to show.'))
      else {
        const took = describeUsageSum(usage.byModel(), { prices })
        // A model does not receive the title.
        const head = options.modelView ? [] : renderHead(about, configuration.root, terminal)
        const foot = took === '' ? [] : [terminal.style.plain(''), terminal.style.dim(took)]
        const wrap = (line: TerminalText): TerminalText => wrapTerminal(line, terminal.columns)
        terminal.print(joinTerminal([...head.map(wrap), ...parts, ...foot.map(wrap)], '\n'))
      }
      if (undone.length > 0 && !isWhole) note(`${formatCount(undone.length)} undone by a rewind`)
      for (const { seq, event } of aside)
        note(`#${seq}: this ${event.type} matches no earlier event of its turn, and is omitted`)
      for (const { seq, problem } of damaged)
        terminal.report('warning', `#${seq} cannot be read: ${problem.message}`)
      if (options.tokens) note(describeTokens(countTokens(whole)))
      return getCode(damaged)

      function note(text: string): void {
        terminal.note(terminal.style.dim(text))
      }
    },
  )
}

/** Renders the title of a conversation, and the program, the model and the folder that it was made with. */
function renderHead(
  about: ConversationDescription,
  root: string,
  { style }: Terminal,
): readonly TerminalText[] {
  const facts = describeFacts(about, root)
  const lines = [
    ...(about.title === undefined ? [] : [style.bold(about.title)]),
    ...(facts.length === 0 ? [] : [style.dim(facts.join(' · '))]),
  ]
  return lines.length === 0 ? [] : [...lines, style.plain('')]
}

function getCode(damaged: readonly StoredEntry[]): number {
  return damaged.some(isLostEvent) ? EXIT.failed : EXIT.ok
}

function formatCount(events: number): string {
  return events === 1 ? '1 event was' : `${events} events were`
}

/** The size of results as the model received them, compared with the complete results. The tokens are an estimate. */
export interface TokenCount {
  results: number
  tokens: number
  wholeTokens: number
  saved: number
}

/** Counts what a model received in some turns, as far as it is recorded. */
export function countTokens(entries: readonly HistoryEntry[]): TokenCount {
  let [results, delivered, whole] = [0, 0, 0]
  for (const { event } of entries) {
    if (event.type !== 'delivery' || event.text === undefined) continue
    results += 1
    delivered += event.text.length
    whole += event.wholeLength ?? event.text.length
  }
  const [tokens, wholeTokens] = [estimateTokens(delivered), estimateTokens(whole)]
  return { results, tokens, wholeTokens, saved: wholeTokens - tokens }
}

const formatInteger = (count: number): string => count.toLocaleString('en')

/** Describes the counts in one line. */
export function describeTokens({ results, tokens, wholeTokens, saved }: TokenCount): string {
  if (results === 0) return 'No result was sent to a model here.'
  const what = results === 1 ? '1 result' : `${formatInteger(results)} results`
  return `The model received ${what} in about ${formatInteger(tokens)} tokens instead of ${formatInteger(wholeTokens)}: ${formatInteger(saved)} saved, at 4 characters a token.`
}

/** Returns a history as a model receives it: results with the recorded text, or formatted now if none is recorded. */
async function toModelView(
  history: Pick<History, 'entries'>,
  format: FormatOptions,
): Promise<readonly HistoryEntry[]> {
  // The formatter is loaded only for a model's view.
  const { formatResult } = await import('@toolblocks/formatter')
  return projectHistory(history).entries.map((projected) => {
    const { text, compacted: _compacted, deliveries: _deliveries, ...entry } = projected
    if (entry.event.type !== 'tool_result') return entry
    const { id, isError } = entry.event.result
    const deliveredText = text ?? formatResult(entry.event.result, format)
    const content = [{ type: 'text', text: deliveredText }] as const
    const result = { ...(id !== undefined && { id }), content, isError }
    return { ...entry, event: { type: 'tool_result', result } }
  })
}
