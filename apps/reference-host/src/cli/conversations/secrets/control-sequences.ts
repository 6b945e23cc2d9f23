/** A text without what a terminal does not show, and where each of its characters was. */
export interface VisibleText {
  text: string
  starts: Uint32Array
}

/** Sequences that colour a text or set a title, and characters of no width. */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- it is what is searched
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|\u001B[@-Z\\^_]|[\u200B-\u200D\u2060\uFEFF\u00AD]/g

/** Removes what a terminal does not show: between two characters of a secret, or before it, a rule would not see it. `undefined`: the text has none of it. */
export function removeHidden(text: string): VisibleText | undefined {
  if (text.search(HIDDEN) === -1) return undefined
  const starts = new Uint32Array(text.length)
  const parts: string[] = []
  let length = 0
  let position = 0
  const keepTo = (end: number): void => {
    parts.push(text.slice(position, end))
    while (position < end) starts[length++] = position++
  }
  for (const { index, 0: sequence } of text.matchAll(HIDDEN)) {
    keepTo(index)
    position = index + sequence.length
  }
  keepTo(text.length)
  return { text: parts.join(''), starts: starts.slice(0, length) }
}
