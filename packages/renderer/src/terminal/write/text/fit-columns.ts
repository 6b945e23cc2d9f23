/** No column gets narrower. */
const NARROWEST = 4

/**
 * The widths at which columns stand side by side in a line: the widest shrink first, all to the same width. Those at the end
 * that find no room have none.
 */
export function fitColumns(
  widths: readonly number[],
  line: number,
  gap: number,
): readonly number[] {
  const needed = sumOf(widths) + gap * Math.max(0, widths.length - 1)
  if (needed <= line) return widths
  const least = sumOf(widths.map((width) => Math.min(width, NARROWEST)))
  if (widths.length > 1 && least + gap * (widths.length - 1) > line)
    return fitColumns(widths.slice(0, -1), line, gap)
  const room = line - gap * (widths.length - 1)
  const most = widestThatFits(widths, room)
  return widths.map((width) => Math.min(width, most))
}

/** From the narrowest column up: what a column does not need is shared by the rest. */
function widestThatFits(widths: readonly number[], room: number): number {
  let left = room
  const sorted = widths.toSorted((one, other) => one - other)
  for (const [index, width] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index))
    if (width > share) return share
    left -= width
  }
  return Infinity
}

function sumOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0)
}
