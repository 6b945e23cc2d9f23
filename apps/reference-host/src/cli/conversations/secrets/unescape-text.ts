/** A text without escapes, and where each of its characters begins in the text before. */
export interface UnescapedText {
  text: string
  /** One position for each character, and one for the end. */
  starts: Uint32Array
}

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
export function unescapeText(text: string): UnescapedText | undefined {
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
export function unescapeOnce(text: string): UnescapedText {
  const starts = new Uint32Array(text.length + 1)
  const parts: string[] = []
  let length = 0
  let position = 0
  const keepTo = (end: number): void => {
    parts.push(text.slice(position, end))
    while (position < end) starts[length++] = position++
  }
  for (const { index, 0: escape } of text.matchAll(new RegExp(ESCAPE, 'g'))) {
    keepTo(index)
    parts.push(readEscape(escape))
    starts[length++] = index
    position = index + escape.length
  }
  keepTo(text.length)
  starts[length] = text.length
  return { text: parts.join(''), starts: starts.slice(0, length + 1) }
}

function readEscape(escape: string): string {
  const letter = escape.charAt(1)
  if (escape.length > 2) return String.fromCharCode(Number.parseInt(escape.slice(2), 16))
  return CONTROLS[letter] ?? letter
}
