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
const FOREGROUND = 38
const BACKGROUND = 48
const UNDERLINE = 58
/** A kind of underline. */
const UNDERLINE_IN_PARTS = /^4:[0-5]$/
/** A colour by index, or by red, green and blue, which a colour space may stand before. */
const INDEXED = /^[345]8[;:]5[;:](\d{1,3})$/
const DIRECT =
  /^[345]8(?:;2|:2(?::\d{0,3}(?=(?::\d{1,3}){3}$))?)[;:](\d{1,3})[;:](\d{1,3})[;:](\d{1,3})$/
// oxlint-disable-next-line no-control-regex -- it begins with one
const COLOR = new RegExp(`\\u001B\\[[\\d;:]{0,${LONGEST_PARAMETERS}}m`, 'y')

/** The parameters of the colour sequence that stands whole at a place. */
export function parametersAt(text: string, at: number): string | undefined {
  if (text.charCodeAt(at) !== ESCAPE) return undefined
  COLOR.lastIndex = at
  return COLOR.test(text) ? text.slice(at + 2, COLOR.lastIndex - 1) : undefined
}

/** The settings of `CSI … m` if it may be shown: it conceals no text, changes no font, and terminals read it alike. */
export function readShowable(parameters: string): readonly Rendition[] | undefined {
  const renditions = readRenditions(parameters)
  return renditions.every(isClear) ? renditions : undefined
}

/** The parameters that say these settings. */
export function parametersOf(renditions: readonly Rendition[]): string {
  return renditions.map(({ text }) => text).join(';')
}

function isClear({ code, text }: Rendition): boolean {
  switch (code) {
    case FOREGROUND:
    case BACKGROUND:
    case UNDERLINE:
      return partsOfColor(text) !== undefined
    case CONCEAL:
      return false
  }
  const isFont = code > 10 && code < 20
  return code <= LARGEST && !isFont && (!text.includes(':') || UNDERLINE_IN_PARTS.test(text))
}

/** The index of a colour, or its red, green and blue; undefined for one that terminals read differently. */
export function partsOfColor(text: string): readonly number[] | undefined {
  const [, ...found] = INDEXED.exec(text) ?? DIRECT.exec(text) ?? []
  const parts = found.map(Number)
  return parts.length > 0 && parts.every((part) => part <= LARGEST) ? parts : undefined
}

/** Reads the parameters of a colour sequence as its settings, in their order. */
export function readRenditions(parameters: string): Rendition[] {
  const fields = parameters.split(';')
  const renditions: Rendition[] = []
  for (let at = 0; at < fields.length;) {
    const field = fields[at] ?? ''
    const code = Number.parseInt(field || '0', 10)
    const length = field.includes(':') ? 1 : fieldsOf(code, fields[at + 1])
    const text = length === 1 ? field : fields.slice(at, at + length).join(';')
    renditions.push({ code, text: isColor(code) ? asMostRead(code, text) : text })
    at += length
  }
  return renditions
}

/**
 * A colour as most terminals read it. Those that do not know the colour of underlines would take its parts for settings of
 * their own, such as conceal, if they were not joined by `:`.
 */
function asMostRead(code: number, text: string): string {
  const parts = partsOfColor(text)
  if (!parts) return text
  const isIndex = parts.length === 1
  if (code === UNDERLINE) return [code, isIndex ? '5' : '2:', ...parts].join(':')
  return [code, isIndex ? 5 : 2, ...parts].join(';')
}

/** How many fields a setting takes: a colour by index or by red, green and blue takes those that follow. */
function fieldsOf(code: number, mode: string | undefined): number {
  if (!isColor(code)) return 1
  if (mode === '5') return 3
  return mode === '2' ? 5 : 1
}

function isColor(code: number): boolean {
  return code === FOREGROUND || code === BACKGROUND || code === UNDERLINE
}
