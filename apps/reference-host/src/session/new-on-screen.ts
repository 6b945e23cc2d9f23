import type { ToolResult } from '@toolblocks/protocol'

/** What a screen shows that it did not show before; `undefined` where that is nothing. What comes with a screen is kept. */
export function newOnScreen(before: ToolResult, now: ToolResult): ToolResult | undefined {
  const [screen, ...others] = now.content
  const [shown] = before.content
  if (screen?.type !== 'text') return now
  const text = newRows(shown?.type === 'text' ? shown.text : '', screen.text)
  const content = text === '' ? others : [{ ...screen, text }, ...others]
  return content.length === 0 ? undefined : { ...now, content }
}

/**
 * The rows behind those that stayed, also where they have moved up since. All rows where the screen was cleared or drawn
 * anew, as programs do that fill it: what changed in its middle means nothing without the rest.
 */
export function newRows(before: string, now: string): string {
  const shown = before.split('\n')
  const rows = now.split('\n')
  if (before === '') return now
  for (let gone = 0; gone < shown.length; gone++) {
    const stayed = shown.slice(gone)
    const same = countSame(stayed, rows)
    const isEnd = same === stayed.length
    // The last row goes on where a prompt stood, and may be drawn again, such as a percentage.
    const goesOn = same === stayed.length - 1 && (same > 0 || rows[0]?.startsWith(stayed[0] ?? ''))
    if (isEnd || goesOn) return rows.slice(same).join('\n')
  }
  return now
}

function countSame(one: readonly string[], other: readonly string[]): number {
  const different = one.findIndex((row, index) => row !== other[index])
  return different === -1 ? one.length : different
}
