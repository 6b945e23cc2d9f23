/** Which lines of a text are wanted. */
export interface LineSelection {
  /** Counted from 1; negative: from the end. Default: 1. */
  from?: number
  /** Default: 200. */
  count?: number
  /** Only lines with this text in them, as it is. */
  containing?: string
}

/** Lines with their numbers. */
export interface SelectedLines {
  lines: readonly { number: number; text: string }[]
  /** How many the text has, or how many of them contain what was looked for. */
  of: number
}

const COUNT = 200

/** Chooses lines; the work is that of reading the text once. */
export function selectLines(text: string, selection: LineSelection): SelectedLines {
  const { from = 1, count = COUNT, containing } = selection
  const all = text.split('\n').map((line, index) => ({ number: index + 1, text: line }))
  if (all.length > 1 && all.at(-1)?.text === '') all.pop()
  const found =
    containing === undefined ? all : all.filter((line) => line.text.includes(containing))
  const start = from < 0 ? Math.max(0, found.length + from) : Math.max(0, from - 1)
  return { lines: found.slice(start, start + count), of: found.length }
}
