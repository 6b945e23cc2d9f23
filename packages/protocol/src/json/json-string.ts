const BACKSLASH = 0x5c

/** The place of the quote that ends the string which starts with the quote at `start`; the text's length if none does. */
export function endOfJsonString(text: string, start: number): number {
  let end = start
  do {
    end = text.indexOf('"', end + 1)
    if (end === -1) return text.length
  } while (isEscapedInJson(text, end))
  return end
}

/** Whether an odd number of backslashes stands before a place. */
export function isEscapedInJson(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1
  return (at - first) % 2 === 1
}

/** White space as JSON has it: space, tab, line feed, carriage return. */
export function isJsonWhiteSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d
}
