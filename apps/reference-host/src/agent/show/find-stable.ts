/** Characters that wait for what closes them at most; behind so many, they are taken as they stand. */
const LONGEST_OPEN = 400
/** What has more characters than this without a space is not waited for at the beginning of a line. */
const SHORT_WORD = 20
/** Columns of a character of a script that is written without spaces. */
const WIDE = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60]/gu

/**
 * Finds how much of a line of Markdown reads the same whatever follows: whole words, behind which no emphasis, code or link is
 * open. What has no spaces counts without waiting for one, once it fills rows of its own.
 */
export function findStable(line: string, from: number, columns: number): number {
  const { space, isClosed } = scan(line)
  const lastSpace = line.lastIndexOf(' ')
  const word = line.slice(lastSpace + 1)
  const isRun = lastSpace === -1 ? word.length > SHORT_WORD : widthAtLeast(word) > columns
  if (isRun && isClosed) return line.length - lastCharacter(word).length
  if (space > from || line.length - Math.max(space, from) < LONGEST_OPEN) return space
  return Math.max(space, lastSpace)
}

function widthAtLeast(word: string): number {
  return word.length + (word.match(WIDE)?.length ?? 0)
}

const graphemes = new Intl.Segmenter()

/** What comes next may belong to it. */
function lastCharacter(word: string): string {
  let last = ''
  for (const { segment } of graphemes.segment(word.slice(-64))) last = segment
  return last
}

/** The last space at which nothing is open, and whether nothing is at the end. */
function scan(line: string): { space: number; isClosed: boolean } {
  const open = { '*': 0, _: 0, '~': 0 }
  let brackets = 0
  let address = 0
  let code = 0
  let space = 0
  const isClosed = (): boolean =>
    code === 0 &&
    brackets === 0 &&
    address === 0 &&
    Object.values(open).every((count) => count === 0)
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at] ?? ''
    if (sign === '`') {
      const run = runAt(line, at, sign)
      if (code === 0) code = run
      else if (code === run) code = 0
      at += run - 1
    } else if (code > 0) continue
    else if (sign === '\\') at += 1
    else if (sign === '[') brackets += 1
    else if (sign === ']' && brackets > 0) {
      brackets -= 1
      if (line[at + 1] === '(') {
        address = 1
        at += 1
      }
    } else if (address > 0) address += sign === '(' ? 1 : sign === ')' ? -1 : 0
    else if (sign === '*' || sign === '_' || sign === '~') {
      const run = runAt(line, at, sign)
      open[sign] = openAfter(open[sign], { sign, run, before: line[at - 1], after: line[at + run] })
      at += run - 1
    } else if (sign === ' ' && isClosed()) space = at
  }
  return { space, isClosed: isClosed() }
}

function runAt(line: string, at: number, sign: string): number {
  let end = at
  while (line[end] === sign) end += 1
  return end - at
}

interface Delimiter {
  sign: string
  run: number
  before: string | undefined
  after: string | undefined
}

/** How many delimiters are open behind some more, as far as their neighbours tell. */
function openAfter(open: number, { sign, run, before = ' ', after = ' ' }: Delimiter): number {
  const [isBehind, isBefore] = [!/\s/.test(before), !/\s/.test(after)]
  const isInWord = /\w/.test(before) && /\w/.test(after)
  if (isInWord && (sign === '_' || /\d/.test(before))) return open
  if (isBehind && open > 0) return Math.max(0, open - run)
  return isBefore ? open + run : open
}
