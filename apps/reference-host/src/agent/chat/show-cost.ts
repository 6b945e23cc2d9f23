import type { StoredEvent } from '@toolblocks/conversation-store'
import {
  type Prices,
  createUsageSum,
  describeUsageSum,
  tokensInWords,
} from '@toolblocks/viewer/reading'

/** Says in lines what a conversation has taken, and what its last turn; also of what was taken back, which was taken all the same. */
export function describeCost(events: readonly StoredEvent[], prices?: Prices): readonly string[] {
  const last = events.findLastIndex(({ event }) => event.type === 'turn_start')
  const messages = events.filter(({ event }) => event.type === 'assistant_message')
  const silent = messages.filter(
    ({ event }) => event.type === 'assistant_message' && !event.usage,
  ).length
  if (silent === messages.length) return ['The model has not told yet what its messages take.']
  const agents = events.reduce((sum, { event }) => sum + tokensOfAgent(event), 0)
  return [
    `This conversation: ${inWords(events, prices)}.`,
    `The last turn: ${inWords(events.slice(last), prices)}.`,
    ...(agents === 0 ? [] : [`Its agents: ${tokensInWords(agents)} more.`]),
    ...(silent === 0 ? [] : [`Of ${silent} of its ${messages.length} messages nothing was told.`]),
    ...(prices ? [] : ['Prices are not known, so the cost is not: [prices] in your config.toml.']),
  ]
}

function inWords(events: readonly StoredEvent[], prices: Prices = {}): string {
  const sum = createUsageSum()
  for (const { event } of events) sum.add(event)
  return describeUsageSum(sum.byModel(), { prices, names: 'several' }) || 'nothing yet'
}

function tokensOfAgent(event: StoredEvent['event']): number {
  const metadata = event.type === 'tool_result' ? event.result.metadata : undefined
  const tokens = metadata?.['agent'] === undefined ? undefined : metadata['tokens']
  return typeof tokens === 'number' && Number.isFinite(tokens) ? tokens : 0
}
