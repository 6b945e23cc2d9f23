/** English and code have about four characters a token; no model's own count is known here. */
const CHARACTERS = 4

/** About how many tokens some characters are. */
export function tokensOf(characters: number): number {
  return Math.round(characters / CHARACTERS)
}

/** How many tokens, for people. */
export function tokensInWords(tokens: number): string {
  return tokens === 1 ? '1 token' : `${tokens.toLocaleString('en')} tokens`
}
