/** One setting of a colour sequence (SGR): its code, and its parameters as they are written. */
export interface Rendition {
  code: number
  text: string
}

const CONCEAL = 8
/** The largest number that means anything; some terminals wrap larger ones around. */
const LARGEST = 255
const COLOR = new Set([38, 48, 58])
const SELF_CONTAINED = /^0*(?:[345]8(?::\d*)+|4:[0-5])$/

/**
 * Reads the parameters of `CSI … m`, digits, `;` and `:`. `undefined` for what must not be shown: a sequence that conceals
 * text, or one that terminals may read differently.
 */
export function readRenditions(parameters: string): Rendition[] | undefined {
  const fields = parameters.split(';')
  const renditions: Rendition[] = []
  for (let at = 0; at < fields.length;) {
    const field = fields[at] ?? ''
    const code = Number.parseInt(field || '0', 10)
    if (code === CONCEAL || !(code <= LARGEST)) return undefined
    if (field.includes(':') && !SELF_CONTAINED.test(field)) return undefined
    const length = field.includes(':') ? 1 : fieldsOf(code, fields[at + 1])
    renditions.push({ code, text: fields.slice(at, at + length).join(';') })
    at += length
  }
  return renditions
}

/** How many fields a setting takes: a colour by index or by red, green and blue takes those that follow. */
function fieldsOf(code: number, mode: string | undefined): number {
  if (!COLOR.has(code) || mode === undefined) return 1
  if (/^0*5$/.test(mode)) return 3
  return /^0*2$/.test(mode) ? 5 : 1
}
