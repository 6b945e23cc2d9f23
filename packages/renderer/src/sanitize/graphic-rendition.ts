/** One setting of a colour sequence (SGR): its code, and its parameters as they are written. */
export interface Rendition {
  code: number
  text: string
}

/** The longest parameters that are read, in UTF-16 code units; colours of both grounds and all styles fit. */
export const LONGEST_PARAMETERS = 64

const ESCAPE = 0x1b
const CONCEAL = 8
/** The largest number that means anything; some terminals wrap larger ones around. */
const LARGEST = 255
const COLORS: readonly number[] = [38, 48, 58]
/** Settings with parts of their own: a colour, or a kind of underline. */
const IN_PARTS = /^(?:[345]8(?::\d*)+|4:[0-5])$/
/** Without these, a sequence neither conceals nor needs to be read closely. */
const UNCLEAR = /[8:]|\d{3}/
// oxlint-disable-next-line no-control-regex -- it begins with one
const COLOR = new RegExp(`\\u001B\\[[\\d;:]{0,${LONGEST_PARAMETERS}}m`, 'y')

/** The parameters of the colour sequence that stands whole at a place. */
export function parametersAt(text: string, at: number): string | undefined {
  if (text.charCodeAt(at) !== ESCAPE) return undefined
  COLOR.lastIndex = at
  return COLOR.test(text) ? text.slice(at + 2, COLOR.lastIndex - 1) : undefined
}

/**
 * Whether the parameters of `CSI … m`, digits, `;` and `:`, may be shown: they conceal no text, and all terminals read
 * them alike.
 */
export function isShowable(parameters: string): boolean {
  return !UNCLEAR.test(parameters) || readRenditions(parameters).every(isClear)
}

function isClear({ code, text }: Rendition): boolean {
  return code !== CONCEAL && code <= LARGEST && (!text.includes(':') || IN_PARTS.test(text))
}

/** Reads the parameters of a colour sequence as its settings, in their order. */
export function readRenditions(parameters: string): Rendition[] {
  const fields = parameters.split(';')
  const renditions: Rendition[] = []
  for (let at = 0; at < fields.length;) {
    const field = fields[at] ?? ''
    const code = Number.parseInt(field || '0', 10)
    const length = field.includes(':') ? 1 : fieldsOf(code, fields[at + 1])
    renditions.push({ code, text: length === 1 ? field : fields.slice(at, at + length).join(';') })
    at += length
  }
  return renditions
}

/** How many fields a setting takes: a colour by index or by red, green and blue takes those that follow. */
function fieldsOf(code: number, mode: string | undefined): number {
  if (!COLORS.includes(code)) return 1
  if (mode === '5') return 3
  return mode === '2' ? 5 : 1
}
