import { rewriteText, type RewrittenText } from './rewritten-text.ts'

/** Number of times that a text may have been written as JSON. */
const LEVELS = 3

const ESCAPE = /\\(?:["'/\\bfnrt]|u[\dA-Fa-f]{4})/

const CONTROLS: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/**
 * Reads the escapes of JSON in a text, also of JSON in JSON: a rule would take `n` of `\nTOKEN=…` as a part of the name. Returns `undefined` if the
 * text has no escape.
 */
export function unescapeText(text: string): RewrittenText | undefined {
  if (!ESCAPE.test(text)) return undefined
  let unescaped = unescapeOnce(text)
  for (let level = 1; level < LEVELS && ESCAPE.test(unescaped.text); level++) {
    const { starts } = unescaped
    const next = unescapeOnce(unescaped.text)
    unescaped = { text: next.text, starts: next.starts.map((start) => starts[start] ?? 0) }
  }
  return unescaped
}

/** Reads the escapes of a text that was written as JSON once. */
export function unescapeOnce(text: string): RewrittenText {
  return rewriteText(text, new RegExp(ESCAPE, 'g'), readEscape)
}

function readEscape(escape: string): string {
  const letter = escape.charAt(1)
  if (escape.length > 2) return String.fromCharCode(Number.parseInt(escape.slice(2), 16))
  return CONTROLS[letter] ?? letter
}
