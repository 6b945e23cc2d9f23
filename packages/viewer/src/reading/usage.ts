import { type StoredEvent } from '@toolblocks/conversation-store'
import { getImportedFields } from '@toolblocks/conversation-store/internal'
import { type TokenUsage } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'

/** The token usage of a conversation's requests, by model, as the providers counted it. */
interface UsageSum {
  /** Adds the next event. */
  add(event: StoredEvent['event']): void
  /** Usage by model name, in the order of first use. An unknown model has an empty name. */
  byModel(): ReadonlyMap<string, TokenUsage>
}

const COUNTS = [
  'inputTokens',
  'cachedInputTokens',
  'cacheWriteTokens',
  'outputTokens',
  'reasoningTokens',
] as const satisfies readonly (keyof TokenUsage)[]

/** Creates a sum. Some programs write one message as several records of the same request: it counts once, with its largest counts. */
export function createUsageSum(): UsageSum {
  const requests = new Map<string, { model: string; usage: TokenUsage }>()
  return {
    add: (event) => {
      if (event.type !== 'assistant_message' || !event.usage) return
      const id = findRequest(event) ?? `#${requests.size}`
      const before = requests.get(id)
      const model = event.model ?? before?.model ?? ''
      const usage = before ? combineUsage(before.usage, event.usage, Math.max) : event.usage
      requests.set(id, { model, usage })
    },
    byModel: () => {
      const sums = new Map<string, TokenUsage>()
      for (const { model, usage } of requests.values())
        sums.set(
          model,
          combineUsage(sums.get(model) ?? {}, usage, (one, other) => one + other),
        )
      return sums
    },
  }
}

/** Returns the request of a message, if its record names it. */
function findRequest(event: StoredEvent['event']): string | undefined {
  const id = getOwnField(getImportedFields(event), 'requestId')
  return typeof id === 'string' && id !== '' ? `id ${id}` : undefined
}

function combineUsage(
  one: TokenUsage,
  other: TokenUsage,
  join: (one: number, other: number) => number,
): TokenUsage {
  const joined = COUNTS.flatMap((name) => {
    const [first, second] = [one[name], other[name]]
    if (first === undefined && second === undefined) return []
    return [[name, join(first ?? 0, second ?? 0)] as const]
  })
  return Object.fromEntries(joined)
}

/** Returns the total of all models. */
export function getTotal(byModel: ReadonlyMap<string, TokenUsage>): TokenUsage {
  return [...byModel.values()].reduce(
    (sum, usage) => combineUsage(sum, usage, (one, other) => one + other),
    {},
  )
}

const formatCount = (count: number): string => count.toLocaleString('en')

/** Formats usage: `12,345 tokens in (9,000 cached), 678 out`; empty without counts. */
export function describeUsage({
  inputTokens,
  cachedInputTokens = 0,
  outputTokens,
}: TokenUsage): string {
  const cached = cachedInputTokens > 0 ? ` (${formatCount(cachedInputTokens)} cached)` : ''
  const parts = [
    ...(inputTokens === undefined ? [] : [`${formatCount(inputTokens)} tokens in${cached}`]),
    ...(outputTokens === undefined
      ? []
      : [`${formatCount(outputTokens)}${inputTokens === undefined ? ' tokens' : ''} out`]),
  ]
  return parts.join(', ')
}

/** Formats usage for a narrow place: `12.3k in · 678 out`. */
export function describeUsageShortly({ inputTokens, outputTokens }: TokenUsage): string {
  const parts = [
    ...(inputTokens === undefined ? [] : [`${inThousands(inputTokens)} in`]),
    ...(outputTokens === undefined ? [] : [`${inThousands(outputTokens)} out`]),
  ]
  return parts.join(' · ')
}

function inThousands(count: number): string {
  if (count < 1000) return String(count)
  const thousands = count / 1000
  return thousands < 999.95 ? `${thousands.toFixed(1)}k` : `${(thousands / 1000).toFixed(1)}M`
}

/**
 * Formats the usage of all models, and the costs if the prices are known: `claude-x: 12,345 tokens in, 678 out`. With `several`, a single model is
 * not named.
 */
export function describeUsageSum(
  byModel: ReadonlyMap<string, TokenUsage>,
  { prices = {}, names = 'all' }: { prices?: Prices; names?: 'all' | 'several' } = {},
): string {
  const lines = [...byModel].map(([model, usage]) => {
    const cost = findCost(usage, model, prices)
    const price = cost === undefined ? '' : `, cost ${cost.toFixed(cost < 1 ? 4 : 2)}`
    const isNamed = model !== '' && (names === 'all' || byModel.size > 1)
    return `${isNamed ? `${model}: ` : ''}${describeUsage(usage)}${price}`
  })
  return lines.join(' · ')
}

/** Prices of a million tokens, in any currency. */
interface Price {
  input?: number
  output?: number
  /** The price of cached input tokens. Default: as other input. */
  cached?: number
}

/** Prices by model name. `*` in a name matches any characters. The first match is used. */
export type Prices = Readonly<Record<string, Price>>

const MILLION = 1_000_000

/** Returns the costs of a model's tokens; `undefined` if its price is unknown. */
export function findCost(
  { inputTokens = 0, cachedInputTokens = 0, outputTokens = 0 }: TokenUsage,
  model: string | undefined,
  prices: Prices,
): number | undefined {
  const price = model === undefined ? undefined : findPrice(model, prices)
  if (!price) return undefined
  const { input = 0, output = 0, cached = input } = price
  const fresh = Math.max(0, inputTokens - cachedInputTokens)
  return (fresh * input + cachedInputTokens * cached + outputTokens * output) / MILLION
}

function findPrice(model: string, prices: Prices): Price | undefined {
  if (Object.hasOwn(prices, model)) return prices[model]
  return Object.entries(prices).find(([name]) => matchesModel(model, name))?.[1]
}

function matchesModel(model: string, name: string): boolean {
  const [first = '', ...rest] = name.split('*')
  const last = rest.pop()
  if (last === undefined || !model.startsWith(first)) return false
  let offset = first.length
  for (const piece of rest) {
    const start = model.indexOf(piece, offset)
    if (start === -1) return false
    offset = start + piece.length
  }
  return model.length - last.length >= offset && model.endsWith(last)
}

/** English text and code have about four characters for each token. The model's own tokenizer is unknown. */
const CHARACTERS = 4

/** Estimates the number of tokens of a number of characters. */
export function estimateTokens(characters: number): number {
  return Math.round(characters / CHARACTERS)
}

/** Formats a number of tokens for people. */
export function formatTokens(tokens: number): string {
  return tokens === 1 ? '1 token' : `${tokens.toLocaleString('en')} tokens`
}
