import type { Rendition } from './graphic-rendition.ts'

/** What is switched on at a point of a text: by place (foreground, bold, …) how it was said. */
export type OpenRenditions = Map<number, string>

export const RESET = '\u001B[0m'

/** Which settings a code switches off. */
const closes: Readonly<Record<number, readonly number[]>> = {
  10: [11],
  22: [1, 2],
  23: [3, 20],
  24: [4, 21],
  25: [5, 6],
  27: [7],
  29: [9],
  39: [38],
  49: [48],
  50: [26],
  54: [51, 52],
  55: [53],
  59: [58],
  65: [60, 61, 62, 63, 64],
  75: [73, 74],
}

/** Changes what is open by one sequence. The map stays small, whatever a text does. */
export function applyRenditions(open: OpenRenditions, renditions: readonly Rendition[]): void {
  for (const { code, text } of renditions) {
    if (code === 0) open.clear()
    else if (closes[code]) for (const place of closes[code]) open.delete(place)
    else open.set(placeOf(code), text)
  }
}

/** The sequence that switches on again what is open; empty for nothing. */
export function reopen(open: OpenRenditions): string {
  return open.size === 0 ? '' : `\u001B[${[...open.values()].join(';')}m`
}

/** Colours of one kind replace each other, so that they share a place. */
function placeOf(code: number): number {
  if (isBetween(code, 30, 38) || isBetween(code, 90, 97)) return 38
  if (isBetween(code, 40, 48) || isBetween(code, 100, 107)) return 48
  if (isBetween(code, 11, 19)) return 11
  return code
}

function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last
}
