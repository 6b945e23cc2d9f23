import type { TokenUsage } from '@toolblocks/protocol'

/** What a million tokens cost, in whatever currency a person counts. */
interface Price {
  input?: number
  output?: number
  /** Input tokens that were read from a cache. Default: as other input. */
  cached?: number
}

/** Prices by the names of models; `*` in a name stands for any characters. The first that fits is taken. */
export type Prices = Readonly<Record<string, Price>>

const MILLION = 1_000_000

/** What some tokens of a model cost; `undefined` where no price of it is known. */
export function costOf(
  { inputTokens = 0, cachedInputTokens = 0, outputTokens = 0 }: TokenUsage,
  model: string | undefined,
  prices: Prices,
): number | undefined {
  const price = model === undefined ? undefined : priceOf(model, prices)
  if (!price) return undefined
  const { input = 0, output = 0, cached = input } = price
  const fresh = Math.max(0, inputTokens - cachedInputTokens)
  return (fresh * input + cachedInputTokens * cached + outputTokens * output) / MILLION
}

function priceOf(model: string, prices: Prices): Price | undefined {
  if (Object.hasOwn(prices, model)) return prices[model]
  return Object.entries(prices).find(([name]) => fits(model, name))?.[1]
}

function fits(model: string, name: string): boolean {
  const [first = '', ...rest] = name.split('*')
  const last = rest.pop()
  if (last === undefined || !model.startsWith(first)) return false
  let at = first.length
  for (const piece of rest) {
    const found = model.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return model.length - last.length >= at && model.endsWith(last)
}
