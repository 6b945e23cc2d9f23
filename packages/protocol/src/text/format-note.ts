import { escapeUnprintable } from '../json/json-text.ts'

/** Square brackets, and what looks like them, also in other scripts. */
const BRACKETS =
  /[[\]\u2045\u2046\u2308-\u230b\u23a1-\u23a6\u2772\u2773\u27e6\u27e7\u27ec\u27ed\u298b-\u2990\u2997\u2998\u2e22-\u2e25\u2e55-\u2e5c\u3010\u3011\u3014-\u301b\ufe39-\ufe3c\ufe47\ufe48\ufe5d\ufe5e\uff3b\uff3d]/g

const OPENING = /[[\p{Ps}\u23a1-\u23a3]/u

const LINE_BREAKS = /[\n\v\f\r\u0085\u2028\u2029]+/g

/**
 * Returns a note of the host: the text in brackets, in one line. Every note that has text of a tool is made here. A bracket in the text becomes a parenthesis, so that no text of
 * a tool closes the note and writes one of its own. A value that is read back belongs in `quoteInNote`.
 */
export function formatNote(text: string): string {
  const inside = text
    .replaceAll(LINE_BREAKS, ' ')
    .replaceAll(BRACKETS, (bracket) => (OPENING.test(bracket) ? '(' : ')'))
  return `[${inside}]`
}

/** Returns a value in quotes for a note, as JSON without brackets: a reader of JSON gets exactly the value, for example to pass it to a tool. */
export function quoteInNote(value: string): string {
  return escapeUnprintable(JSON.stringify(value)).replaceAll(
    BRACKETS,
    (bracket) => `\\u${bracket.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Returns an address for a note: as it is, or in quotes if it has brackets. */
export function nameInNote(uri: string): string {
  return uri.search(BRACKETS) === -1 ? uri : quoteInNote(uri)
}
