/** What may stand behind a fence without ending its line or the fence itself. */
const SAFE_TAG = /^[A-Za-z0-9+#._-]{1,32}$/
const BACKTICK = 96

/**
 * Puts text into a Markdown code block that the text cannot leave: the fence is longer than any run of backticks inside.
 * A final line feed is added where there is none; a tag that is no plain word is left out.
 */
export function fenceText(text: string, tag = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  const info = SAFE_TAG.test(tag) ? tag : ''
  const end = text === '' || text.endsWith('\n') ? '' : '\n'
  return `${fence}${info}\n${text}${end}${fence}`
}

/** The longest run of backticks if longer than two: each search is for a run that is longer than the longest so far. */
function longestRun(text: string): number {
  let longest = 2
  let start = text.indexOf('`')
  if (start !== -1) start = findRun(text, longest + 1, start)
  while (start !== -1) {
    let end = start
    while (text.charCodeAt(end) === BACKTICK) end += 1
    longest = end - start
    start = findRun(text, longest + 1, end)
  }
  return longest
}

const searches: RegExp[] = []
/** From here on the search for a string skips more than a regular expression does. */
const LONG = 32

/** Where a run of at least so many backticks starts, from a place on. Short ones are many in some texts, which slows indexOf down. */
function findRun(text: string, length: number, from: number): number {
  if (length >= LONG) return text.indexOf('`'.repeat(length), from)
  const search = (searches[length] ??= new RegExp('`'.repeat(length), 'g'))
  search.lastIndex = from
  return search.exec(text)?.index ?? -1
}
