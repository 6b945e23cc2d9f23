/** The tags that can follow a fence without ending its line or the fence. */
const SAFE_TAG = /^[A-Za-z0-9+#._-]{1,32}$/
const BACKTICK = 96

/**
 * Puts text into a Markdown code block that the text cannot close: the fence is longer than any run of backticks inside. A final line feed is added
 * if it is missing. A tag that is not a plain word is omitted.
 */
export function fenceText(text: string, tag = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  const info = SAFE_TAG.test(tag) ? tag : ''
  const end = text === '' || text.endsWith('\n') ? '' : '\n'
  return `${fence}${info}\n${text}${end}${fence}`
}

/** Returns the longest run of backticks if longer than two. Each search is for a run longer than the longest until now. */
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
/** From this length, searching for a string skips more than a regular expression. */
const LONG = 32

/** Returns the start of a run of at least `length` backticks, from an index. Some texts have many short runs, which makes indexOf slow. */
function findRun(text: string, length: number, from: number): number {
  if (length >= LONG) return text.indexOf('`'.repeat(length), from)
  const search = (searches[length] ??= new RegExp('`'.repeat(length), 'g'))
  search.lastIndex = from
  return search.exec(text)?.index ?? -1
}
