import type { Compaction, HistoryEntry } from '@toolblocks/conversation-store'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { createRecorder } from '../../workspace/conversations/record-call.ts'
import { type ReadTurns } from '../../workspace/conversations/read-turns.ts'
import { loadConversation } from '../../workspace/conversations/load-conversation.ts'
import { withConversation } from '../../workspace/conversations/with-conversations.ts'

/** The options of `toolblocks conversations compact ID`. */
export interface CompactOptions extends SharedOptions {
  turns?: ReadTurns
  summary?: string
  toolCalls?: NonNullable<Compaction['toolCalls']>
  reasoning?: NonNullable<Compaction['reasoning']>
}

const KEEP_FIRST = 1
const KEEP_LAST = 3

/** `toolblocks conversations compact ID`: selects what a model no longer receives. Every event stays in the store. */
export async function compactConversation(
  context: CommandContext,
  named: string,
  options: CompactOptions,
): Promise<number> {
  const { terminal, signal } = context
  return await withConversation(named, { context, options }, async ({ store, id }) => {
    const { entries } = await loadConversation(store, id, { signal })
    const compaction = planCompaction(entries, options)
    if (!compaction) {
      terminal.report('error', explainNothing(entries, options))
      return EXIT.usage
    }
    await createRecorder(store, id)(compaction)
    if (options.output === 'json') terminal.printJson(compaction)
    else terminal.print(terminal.sanitize(describe(compaction)))
    return EXIT.ok
  })
}

/** Returns the event to record, or `undefined` if it would apply to no turn. */
export function planCompaction(
  entries: readonly Pick<HistoryEntry, 'turn'>[],
  { turns, summary, toolCalls, reasoning }: Omit<CompactOptions, 'output'>,
): Compaction | undefined {
  const last = countTurns(entries)
  const fromTurn = turns?.from ?? KEEP_FIRST + 1
  const toTurn = Math.min(turns?.to ?? last - KEEP_LAST, last)
  if (toTurn < fromTurn) return undefined
  const isGiven = summary !== undefined || toolCalls !== undefined || reasoning !== undefined
  const what = isGiven
    ? {
        ...(summary !== undefined && { summary }),
        ...(reasoning && { reasoning }),
        ...(toolCalls && { toolCalls }),
      }
    : ({ reasoning: 'strip', toolCalls: 'strip' } as const)
  return { type: 'compaction', fromTurn, toTurn, ...what }
}

function countTurns(entries: readonly Pick<HistoryEntry, 'turn'>[]): number {
  return entries.at(-1)?.turn ?? 0
}

function explainNothing(
  entries: readonly Pick<HistoryEntry, 'turn'>[],
  { turns }: CompactOptions,
): string {
  const count = countTurns(entries)
  const has = count === 1 ? 'it has 1 turn' : `it has ${count} turns`
  return turns
    ? `there is nothing to compact: ${has}`
    : `there is nothing to compact: ${has}, and the first and the last ${KEEP_LAST} are kept; use --turns to choose others`
}

function describe({ fromTurn, toTurn, summary, reasoning, toolCalls }: Compaction): string {
  const turns = fromTurn === toTurn ? `turn ${fromTurn}` : `turns ${fromTurn} to ${toTurn}`
  const what = [
    ...(summary === undefined ? [] : ['as a summary']),
    ...(reasoning ? ['without its reasoning'] : []),
    ...(toolCalls ? [WITHOUT[toolCalls]] : []),
  ].join(' and ')
  return `From now on, a model receives ${turns} ${what}. Nothing was deleted.`
}

const WITHOUT: Readonly<Record<NonNullable<Compaction['toolCalls']>, string>> = {
  omit: 'without its calls',
  'strip-results': 'without the content of results',
  strip: 'without the content of calls and results',
}
