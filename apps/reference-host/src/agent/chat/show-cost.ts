import type { StoredEvent, TokenUsage } from '@toolblocks/conversation-store'
import { tokensInWords } from '../../model/tokens.ts'

/** What a message cost, where the prices of its model are known. */
export type CostOf = (usage: TokenUsage, model: string | undefined) => number | undefined

/** Says in lines what a conversation has taken, and what its last turn; also of what was taken back, which was taken all the same. */
export function describeCost(events: readonly StoredEvent[], costOf?: CostOf): readonly string[] {
  const last = events.findLastIndex(({ event }) => event.type === 'turn_start')
  const whole = sumOf(events, costOf)
  if (whole.counted === 0) return ['The model has not told yet what its messages take.']
  const missing = whole.messages - whole.counted
  return [
    `This conversation: ${inWords(whole)}.`,
    `The last turn: ${inWords(sumOf(events.slice(last), costOf))}.`,
    ...(whole.agents === 0 ? [] : [`Its agents: ${tokensInWords(whole.agents)} more.`]),
    ...(missing === 0 ? [] : [`Of ${missing} of its ${whole.messages} messages nothing was told.`]),
    ...(costOf ? [] : ['Prices are not known, so the cost is not.']),
  ]
}

interface Sum {
  messages: number
  /** Messages that say what they took. */
  counted: number
  input: number
  cached: number
  output: number
  agents: number
  cost: number | undefined
}

function sumOf(events: readonly StoredEvent[], costOf: CostOf = () => undefined): Sum {
  const sum: Sum = {
    messages: 0,
    counted: 0,
    input: 0,
    cached: 0,
    output: 0,
    agents: 0,
    cost: undefined,
  }
  for (const { event } of events) {
    if (event.type === 'tool_result') sum.agents += tokensOfAgent(event.result.metadata)
    if (event.type !== 'assistant_message') continue
    sum.messages += 1
    const { usage, model } = event
    if (!usage) continue
    sum.counted += 1
    sum.input += usage.inputTokens ?? 0
    sum.cached += usage.cachedInputTokens ?? 0
    sum.output += usage.outputTokens ?? 0
    const cost = costOf(usage, model)
    if (cost !== undefined) sum.cost = (sum.cost ?? 0) + cost
  }
  return sum
}

function tokensOfAgent(metadata: Readonly<Record<string, unknown>> | undefined): number {
  const tokens = metadata?.['agent'] === undefined ? undefined : metadata['tokens']
  return typeof tokens === 'number' && Number.isFinite(tokens) ? tokens : 0
}

function inWords({ input, cached, output, cost }: Sum): string {
  const read = cached === 0 ? '' : ` (${cached.toLocaleString('en')} of them cached)`
  const priced = cost === undefined ? '' : `, ${cost.toFixed(cost < 1 ? 4 : 2)} by your prices`
  return `${tokensInWords(input)} in${read}, ${output.toLocaleString('en')} out${priced}`
}
