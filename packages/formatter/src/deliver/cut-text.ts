/** A text without its middle. */
export interface CutText {
  text: string
  /** How many characters (UTF-16 code units) of the original are in it. */
  kept: number
}

/** Between what is shown of the beginning and of the end. */
const GAP = '\n…\n'
/** The part of what is kept that is the beginning: what a text is stands there, what came of it at the end. */
const HEAD = 0.6
/** A line is left whole where that costs less than this part. */
const LINE_LOSS = 0.5

/** Leaves out the middle of a text, at the ends of lines where they are near, never inside a character. */
export function cutText(text: string, limit: number): CutText {
  if (text.length <= limit) return { text, kept: text.length }
  const head = headOf(text, Math.floor(limit * HEAD))
  const tail = tailOf(text, limit - Math.floor(limit * HEAD))
  return { text: `${head}${GAP}${tail}`, kept: head.length + tail.length }
}

function headOf(text: string, limit: number): string {
  const at = text.lastIndexOf('\n', limit)
  const end = at > limit * LINE_LOSS ? at : limit
  return text.slice(0, isInside(text, end) ? end - 1 : end)
}

function tailOf(text: string, limit: number): string {
  const from = text.length - limit
  const at = text.indexOf('\n', from)
  const start = at !== -1 && at + 1 - from < limit * LINE_LOSS ? at + 1 : from
  return text.slice(isInside(text, start) ? start + 1 : start)
}

/** Whether a place is between the halves of a surrogate pair. */
function isInside(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff
}
