/** One setting of a colour sequence (SGR): its code, and its parameters as written. */
interface Rendition {
  code: number
  text: string
}

/** Maximum length of the parameters that are read, in UTF-16 code units. Both colours and all styles fit. */
export const MAX_PARAMETERS_LENGTH = 64
const ESCAPE = 0x1b
const CONCEAL = 8

/** The largest valid number. Some terminals wrap larger ones around. */
const MAX_SIZE = 255
const FOREGROUND = 38
const BACKGROUND = 48
const UNDERLINE = 58

/** A style of underline. */
const UNDERLINE_IN_PARTS = /^4:[0-5]$/

/** A colour by index, or by red, green and blue, optionally after a colour space. */
const INDEXED = /^[345]8[;:]5[;:](\d{1,3})$/

const DIRECT =
  /^[345]8(?:;2|:2(?::\d{0,3}(?=(?::\d{1,3}){3}$))?)[;:](\d{1,3})[;:](\d{1,3})[;:](\d{1,3})$/

// oxlint-disable-next-line no-control-regex -- it begins with one
const COLOR = new RegExp(`\\u001B\\[[\\d;:]{0,${MAX_PARAMETERS_LENGTH}}m`, 'y')

/** Returns the parameters of the complete colour sequence at an index. */
export function parametersAt(text: string, index: number): string | undefined {
  if (text.charCodeAt(index) !== ESCAPE) return undefined
  COLOR.lastIndex = index
  return COLOR.test(text) ? text.slice(index + 2, COLOR.lastIndex - 1) : undefined
}

/** Returns the settings of `CSI … m` if it may be shown: it conceals no text, changes no font, and all terminals read it the same way. */
export function readShowable(parameters: string): readonly Rendition[] | undefined {
  const renditions = readRenditions(parameters)
  return renditions.every(isClear) ? renditions : undefined
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
  return code <= MAX_SIZE && !isFont && (!text.includes(':') || UNDERLINE_IN_PARTS.test(text))
}

/** Returns the index of a colour, or its red, green and blue; `undefined` if terminals read it differently. */
export function partsOfColor(text: string): readonly number[] | undefined {
  const [, ...fields] = INDEXED.exec(text) ?? DIRECT.exec(text) ?? []
  const parts = fields.map(Number)
  return parts.length > 0 && parts.every((part) => part <= MAX_SIZE) ? parts : undefined
}

/** Parses the parameters of a colour sequence into its settings, in order. */
export function readRenditions(parameters: string): Rendition[] {
  const fields = parameters.split(';')
  const renditions: Rendition[] = []
  for (let index = 0; index < fields.length;) {
    const field = fields[index] ?? ''
    const code = Number.parseInt(field || '0', 10)
    const length = field.includes(':') ? 1 : getFields(code, fields[index + 1])
    const text = length === 1 ? field : fields.slice(index, index + length).join(';')
    renditions.push({ code, text: isColor(code) ? writeColor(code, text) : text })
    index += length
  }
  return renditions
}

/**
 * Writes a colour so that most terminals read it. A terminal without underline colours would read its parts as other settings, such as conceal, if
 * `:` did not join them.
 */
function writeColor(code: number, text: string): string {
  const parts = partsOfColor(text)
  if (!parts) return text
  const isIndex = parts.length === 1
  if (code === UNDERLINE) return [code, isIndex ? '5' : '2:', ...parts].join(':')
  return [code, isIndex ? 5 : 2, ...parts].join(';')
}

/** Returns the number of fields of a setting. A colour by index, or by red, green and blue, has following fields. */
function getFields(code: number, mode: string | undefined): number {
  if (!isColor(code)) return 1
  if (mode === '5') return 3
  return mode === '2' ? 5 : 1
}

function isColor(code: number): boolean {
  return code === FOREGROUND || code === BACKGROUND || code === UNDERLINE
}

/** The renditions that are on at a point of a text: by place (foreground, bold, …), as they were written. */
export type OpenRenditions = Map<number, string>

export const RESET = '\u001B[0m'

/** The settings that a code turns off. */
const closedBy: Readonly<Record<number, readonly number[]>> = {
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

/** Updates the open renditions by one sequence. The map stays small, whatever the text. */
export function applyRenditions(open: OpenRenditions, renditions: readonly Rendition[]): void {
  for (const { code, text } of renditions) {
    if (code === 0) open.clear()
    else if (closedBy[code]) for (const slot of closedBy[code]) open.delete(slot)
    else open.set(getPlace(code), text)
  }
}

/** Returns the sequence that turns on the open renditions again; empty if there are none. */
export function reopen(open: OpenRenditions): string {
  return open.size === 0 ? '' : `\u001B[${[...open.values()].join(';')}m`
}

/** Colours of one kind replace each other, so they share a place. */
function getPlace(code: number): number {
  if (isBetween(code, 30, 38) || isBetween(code, 90, 97)) return 38
  if (isBetween(code, 40, 48) || isBetween(code, 100, 107)) return 48
  if (isBetween(code, 11, 19)) return 11
  return code
}

function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last
}

/** A colour sequence that may be shown. */
interface ShowableColor {
  /** The parameters as written. */
  parameters: string
  renditions: readonly Rendition[]
  change: Partial<Grounds>
}

/** A text has few different colours and many of each. A text with more is parsed again each time. */
const MAX_KEPT = 256

/** Creates a reader that caches its results. */
export function createColorReader(): (parameters: string) => ShowableColor | undefined {
  const seen = new Map<string, ShowableColor | undefined>()
  return (parameters) => {
    const known = seen.get(parameters)
    if (known !== undefined || seen.has(parameters)) return known
    const color = readColor(parameters)
    if (seen.size < MAX_KEPT) seen.set(parameters, color)
    return color
  }
}

function readColor(parameters: string): ShowableColor | undefined {
  const renditions = readShowable(parameters)
  if (!renditions) return undefined
  return {
    parameters: renditions.map(({ text }) => text).join(';'),
    renditions,
    change: combineChanges(renditions),
  }
}

/** The state that decides whether letters are visible. A colour is red, green and blue in one number; `undefined` is the terminal's own. */
interface Grounds {
  foreground: number | undefined
  /** Many terminals show bold letters in the bright colour. */
  bright: number | undefined
  background: number | undefined
  isBold: boolean
}

export const OWN_GROUNDS: Grounds = {
  foreground: undefined,
  bright: undefined,
  background: undefined,
  isBold: false,
}

/** The first sixteen colours of xterm. People change them, but seldom so that two are equal. */
const NAMED: readonly number[] = [
  0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f,
  0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
]

const LEVELS: readonly number[] = [0, 95, 135, 175, 215, 255]

/** Returns the combined changes of some settings. */
export function combineChanges(renditions: readonly Rendition[]): Partial<Grounds> {
  return Object.assign({}, ...renditions.map(({ code, text }) => getChange(code, text)))
}

/** Whether letters differ from their background. Swapping both changes nothing. */
export function areLettersVisible({ foreground, bright, background, isBold }: Grounds): boolean {
  if (background === undefined) return true
  return foreground !== background && !(isBold && bright === background)
}

function getChange(code: number, text: string): Partial<Grounds> {
  if (code === 0) return OWN_GROUNDS
  if (code === 1) return { isBold: true }
  if (code === 22) return { isBold: false }
  if (code === 39) return { foreground: undefined, bright: undefined }
  if (code === 49) return { background: undefined }
  if (code === 38 || code === 48) return onGround(code, partsOfColor(text) ?? [])
  const bright = code >= 90 ? 8 : 0
  const base = code >= 90 ? 90 : 30
  const offset = code - base
  if (offset >= 0 && offset < 8) return onGround(38, [offset + bright])
  return offset >= 10 && offset < 18 ? onGround(48, [offset - 10 + bright]) : {}
}

function onGround(ground: 38 | 48, parts: readonly number[]): Partial<Grounds> {
  const [index = 0] = parts
  const color = parts.length === 1 ? indexed(index) : packColor(parts)
  if (ground === 48) return { background: color }
  const hasBright = parts.length === 1 && index < 8
  return { foreground: color, bright: hasBright ? indexed(index + 8) : undefined }
}

/** Returns a colour of the palette: sixteen by name, a cube of 6 × 6 × 6, and 24 greys. */
function indexed(index: number): number {
  if (index < 16) return NAMED[index] ?? 0
  if (index >= 232) return packColor([0, 0, 0].map(() => 8 + 10 * (index - 232)))
  const cubeIndex = index - 16
  return packColor(
    [cubeIndex / 36, (cubeIndex / 6) % 6, cubeIndex % 6].map(
      (level) => LEVELS[Math.floor(level)] ?? 0,
    ),
  )
}

function packColor(parts: readonly number[]): number {
  return parts.reduce((color, part) => color * 256 + part, 0)
}
