import { rewriteText, type RewrittenText } from './rewritten-text.ts'

/** Sequences that colour a text or set a title, and characters of no width. */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- it is what is searched
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|\u001B[@-Z\\^_]|[\u200B-\u200D\u2060\uFEFF\u00AD]/g

/** Removes what a terminal does not show: between two characters of a secret, or before it, a rule would not see it. `undefined`: the text has none of it. */
export function removeHidden(text: string): RewrittenText | undefined {
  return text.search(HIDDEN) === -1 ? undefined : rewriteText(text, HIDDEN, () => '')
}
