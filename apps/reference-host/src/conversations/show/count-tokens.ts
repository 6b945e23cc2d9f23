import type { HistoryEntry } from '@toolblocks/conversation-store'
import { tokensOf } from '@toolblocks/viewer/reading'

/** What results were to the model, against what they would have been whole; tokens are an estimate. */
export interface TokenCount {
  results: number
  tokens: number
  wholeTokens: number
  saved: number
}

/** Counts what a model was given in some turns, as far as it is recorded. */
export function countTokens(entries: readonly HistoryEntry[]): TokenCount {
  let [results, given, whole] = [0, 0, 0]
  for (const { event } of entries) {
    if (event.type !== 'delivery' || event.text === undefined) continue
    results += 1
    given += event.text.length
    whole += event.wholeLength ?? event.text.length
  }
  const [tokens, wholeTokens] = [tokensOf(given), tokensOf(whole)]
  return { results, tokens, wholeTokens, saved: wholeTokens - tokens }
}

const say = (count: number): string => count.toLocaleString('en')

/** Says it in one line. */
export function describeTokens({ results, tokens, wholeTokens, saved }: TokenCount): string {
  if (results === 0) return 'No result was delivered to a model here.'
  const what = results === 1 ? '1 result' : `${say(results)} results`
  return `The model was given ${what} in about ${say(tokens)} tokens instead of ${say(wholeTokens)}: ${say(saved)} saved, at 4 characters a token.`
}
