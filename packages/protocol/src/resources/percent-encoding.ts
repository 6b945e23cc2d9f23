const unreserved = `A-Za-z0-9\\-._~`
const subDelimiters = `!$&'()*+,;=`

/** One way to write a part of a uri: which characters stand for themselves, and which of them are never encoded. */
export interface PercentEncoding {
  readonly literal: RegExp
  readonly decoded: RegExp
}

/** One segment of a file's path: every character that may be literal is. */
export const segmentEncoding: PercentEncoding = encoding(
  `${unreserved}${subDelimiters}:@`,
  `${unreserved}${subDelimiters}:@`,
)

/** The fragment of a file uri: as a segment, and `/` and `?` are no separators there. */
export const fragmentEncoding: PercentEncoding = encoding(
  `${unreserved}${subDelimiters}:@/?`,
  `${unreserved}${subDelimiters}:@/?`,
)

/** Whatever follows the host of an http uri: only what cannot mean anything else is decoded. */
export const httpEncoding: PercentEncoding = encoding(
  `${unreserved}${subDelimiters}:@/?\\[\\]`,
  unreserved,
)

/** Says whether every `%` of a text starts a percent-encoded byte. */
export function isPercentEncoded(text: string): boolean {
  return !/%(?![0-9A-Fa-f]{2})/.test(text)
}

/** Writes a percent-encoded text in its one normal way: ASCII, upper-case digits. The text must be well formed. */
export function normalizePercent(text: string, { literal, decoded }: PercentEncoding): string {
  return text.replace(/%..|[^%]/gu, (part) => {
    if (!part.startsWith('%')) return literal.test(part) ? part : encodeURIComponent(part)
    const character = String.fromCharCode(Number.parseInt(part.slice(1), 16))
    return decoded.test(character) ? character : part.toUpperCase()
  })
}

function encoding(literal: string, decoded: string): PercentEncoding {
  return { literal: new RegExp(`^[${literal}]$`), decoded: new RegExp(`^[${decoded}]$`) }
}
