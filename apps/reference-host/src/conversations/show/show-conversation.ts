import { type ConversationDescription, describeConversation } from '@toolblocks/conversation-store'
import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal, wrapTerminal } from '@toolblocks/renderer'
import { formatOptions } from '../../configuration/format-options.ts'
import type { CommandContext, SharedOptions } from '../../commands/command-context.ts'
import { EXIT } from '../../exit-codes.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { loadAbilities } from '../../terminal/load-abilities.ts'
import { countTokens, describeTokens } from './count-tokens.ts'
import { readCards } from '@toolblocks/viewer/reading'
import { createUsageSum, describeUsageSum } from '@toolblocks/viewer/reading'
import { describeFacts } from '@toolblocks/viewer/reading'
import { renderCards, resultsOfCards } from './render-cards.ts'
import { keptToJson } from '../open/kept-to-json.ts'
import { isLost, type Kept } from '@toolblocks/viewer/reading'
import { toModelView } from './to-model-view.ts'
import { loadConversation, ofTurns } from '../open/load-conversation.ts'
import type { Turns } from './read-turns.ts'
import { withConversation } from '../open/with-conversation.ts'

/** What was typed after `toolblocks conversations show ID`. */
export interface ShowOptions extends SharedOptions {
  turns?: Turns
  /** Lines of one block that are shown. */
  lines?: number
  /** What a model is given of it. */
  modelView?: boolean
  /** Say what deliveries have saved. */
  tokens?: boolean
}

/** `toolblocks conversations show ID`: what happened, as it counts: without what was undone, with a result for every call. */
export async function showConversation(
  context: CommandContext,
  named: string,
  options: ShowOptions,
): Promise<number> {
  const { terminal, signal } = context
  return await withConversation(
    named,
    { context, options },
    async ({ store, configuration, settings: { prices = {} }, id }) => {
      const loaded = await loadConversation(store, id, { signal })
      const { aside, undone, damaged } = loaded
      // What is compacted in a turn may be said far behind it.
      const all = options.modelView
        ? await toModelView(loaded, formatOptions(configuration))
        : loaded.entries
      const entries = ofTurns(all, options.turns)
      const whole = ofTurns(loaded.entries, options.turns)
      const about = await describeConversation(store, id)
      const usage = createUsageSum()
      for (const { event } of whole) usage.add(event)
      if (options.output === 'json') {
        const rest = {
          aside: aside.map(keptToJson),
          undone: undone.map(keptToJson),
          damaged: damaged.map(keptToJson),
        }
        const tokens = options.tokens ? { tokens: countTokens(whole) } : {}
        const byModel = usage.byModel()
        const took = byModel.size === 0 ? {} : { usage: Object.fromEntries(byModel) }
        terminal.printJson({ id, ...about, entries, ...rest, ...tokens, ...took })
        return codeOf(damaged)
      }
      const cards = readCards(entries)
      const view = {
        root: about.folder ?? configuration.root,
        lines: options.lines,
        calls: options.modelView ? ('given' as const) : ('read' as const),
      }
      const abilities = await loadAbilities(resultsOfCards(cards, view), terminal)
      const parts = renderCards(cards, terminal, { ...view, abilities })
      if (parts.length === 0) terminal.note(terminal.style.dim('There is nothing to show.'))
      else {
        const took = describeUsageSum(usage.byModel(), { prices })
        // A model is given no title.
        const head = options.modelView ? [] : headOf(about, configuration.root, terminal)
        const foot = took === '' ? [] : [terminal.style.plain(''), terminal.style.dim(took)]
        const wrap = (line: TerminalText): TerminalText => wrapTerminal(line, terminal.columns)
        terminal.print(joinTerminal([...head.map(wrap), ...parts, ...foot.map(wrap)], '\n'))
      }
      if (undone.length > 0) note(`${count(undone.length)} undone by a rewind`)
      for (const { seq, event } of aside)
        note(
          `#${seq}: this ${event.type} belongs to nothing before it in its turn, and is left out`,
        )
      for (const { seq, problem } of damaged)
        terminal.complain('warning', `#${seq} cannot be read: ${problem.message}`)
      if (options.tokens) note(describeTokens(countTokens(whole)))
      return codeOf(damaged)

      function note(text: string): void {
        terminal.note(terminal.style.dim(text))
      }
    },
  )
}

/** The title of a conversation, and what made it, with which model and where. */
function headOf(
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

function codeOf(damaged: readonly Kept[]): number {
  return damaged.some(isLost) ? EXIT.failed : EXIT.ok
}

function count(events: number): string {
  return events === 1 ? '1 event was' : `${events} events were`
}
