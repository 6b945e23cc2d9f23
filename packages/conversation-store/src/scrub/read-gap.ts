import { ESCAPES, GAPS } from './escape-bytes.ts'
import { BIT, type FormBits } from './secret-forms.ts'
import { type Level, RAW, type ReadUnits } from './unit.ts'

const [LF, CR, ESC, BEL, CSI] = [0x0a, 0x0d, 0x1b, 0x07, 0x9b]
const LONGEST_COLOR = 64
const LONGEST_TITLE = 2048

/** What may stand between two characters of a value. */
export interface Gap {
  /** Where it may end: behind a line break, and behind the blanks that indent the next line. */
  ends: readonly number[]
  forms: FormBits
}

/** How a gap is read. */
interface GapReading {
  read: ReadUnits
  /** A code may be interrupted by others, which may not. */
  place: 'whole' | 'inside'
}

/** Reads one line break or one code that a terminal acts on, with what reads characters. */
export function findGap(
  bytes: Uint8Array,
  at: number,
  level: Level,
  reading: GapReading,
): Gap | undefined {
  const byte = bytes[at]
  if (byte === undefined) return undefined
  if (GAPS[byte] === 0 && (level === 0 || ESCAPES[byte] === 0)) return undefined
  for (const { code, next } of reading.read(bytes, at, level)) {
    if (code === LF || code === CR) return readIndent(bytes, next, level, reading)
    const end =
      code === ESC || code === RAW + 0xc2
        ? endOfCode(bytes, next, level, { ...reading, first: code })
        : undefined
    if (end !== undefined) return { ends: [end], forms: BIT.colors }
  }
  return undefined
}

function readIndent(bytes: Uint8Array, behind: number, level: Level, { read }: GapReading): Gap {
  let end = behind
  for (;;) {
    const blank = read(bytes, end, level).find(({ code }) => code === 0x20 || code === 9)
    if (!blank) break
    end = blank.next
  }
  return { ends: end === behind ? [behind] : [behind, end], forms: BIT.lines }
}

/** The end of a sequence that begins with ESC, or with CSI as one character (U+009B, of which the first byte was read). */
function endOfCode(
  bytes: Uint8Array,
  from: number,
  level: Level,
  { read, place, first }: GapReading & { first: number },
): number | undefined {
  let at = from
  let interrupted = place === 'whole'
  const codeAt = (): number | undefined => {
    for (let gap = interrupted && findGap(bytes, at, level, { read, place: 'inside' }); gap;) {
      at = gap.ends.at(-1) ?? at
      gap = findGap(bytes, at, level, { read, place: 'inside' })
    }
    const [unit] = read(bytes, at, level).toReversed()
    if (unit) at = unit.next
    return unit?.code
  }
  let code = codeAt()
  if (first !== ESC) {
    if (code !== RAW + CSI) return undefined
    code = 0x5b
  }
  if (code === 0x5d) {
    // What ends a title looks like a code of its own.
    interrupted = false
    for (let count = 0; count < LONGEST_TITLE; count++) {
      code = codeAt()
      if (code === BEL) return at
      if (code === undefined || code === LF) return undefined
      if (code === ESC) return codeAt() === 0x5c ? at : undefined
    }
    return undefined
  }
  if (code === 0x5b) {
    for (let count = 0; count < LONGEST_COLOR; count++) {
      code = codeAt()
      if (code === undefined || code < 0x20 || code > 0x7e) return undefined
      if (code >= 0x40) return at
    }
    return undefined
  }
  for (let count = 0; code !== undefined && code >= 0x20 && code <= 0x2f; count++) {
    if (count === LONGEST_COLOR) return undefined
    code = codeAt()
  }
  return code !== undefined && code >= 0x30 && code <= 0x7e ? at : undefined
}
