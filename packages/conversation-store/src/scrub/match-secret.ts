import { ESCAPES, GAPS, mayStandFor } from './escape-bytes.ts'
import { type Level, RAW, type Unit, expectUnit, readGap, readUnits } from './read-units.ts'
import { BIT, type FormBits, type LetterCase } from './secret-forms.ts'

/** A place where the value was found. */
export interface SecretMatch {
  start: number
  end: number
  /** The bytes of the value; between them are line breaks and colour codes. */
  pieces: readonly { start: number; end: number }[]
  forms: FormBits
}

/** Finds a value in which each character may be escaped up to `level` times, from left to right. Work is linear in the bytes. */
export function findSpelled(
  bytes: Uint8Array,
  secret: Secret,
  level: Level,
): readonly SecretMatch[] {
  const { begins, continues: goesOn } = secret
  const found: SecretMatch[] = []
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (level > 0 && ESCAPES[byte] === 1) {
      if (!mayStandFor(bytes, at, begins)) continue
    } else {
      if (begins[byte] === 0) continue
      const next = bytes[at + 1] ?? 0
      const mayGoOn = goesOn[next] === 1 || GAPS[next] === 1 || (level > 0 && ESCAPES[next] === 1)
      if (byte < 0x80 && !mayGoOn) continue
    }
    const match = matchAt(bytes, at, secret, level)
    if (!match) continue
    found.push(match)
    at = match.end - 1
  }
  return found
}

/** The characters that were read up to a place: a list from the last step to the first. */
interface Step {
  at: number
  /** Number of matched codes of the target. */
  matched: number
  before: Step | undefined
  /** The start of the step, and its codes; `undefined` for a gap. */
  from: number
  codes: readonly number[] | undefined
  forms: FormBits
}

/** Number of steps after which steps are recorded, so that none is repeated. */
const FEW_STEPS = 32

function matchAt(
  bytes: Uint8Array,
  from: number,
  secret: Secret,
  level: Level,
): SecretMatch | undefined {
  for (const target of secret.targets) {
    let seen: Set<number> | undefined
    const open: Step[] = [
      { at: from, matched: 0, before: undefined, from, codes: undefined, forms: 0 },
    ]
    let steps = 0
    for (let step = open.pop(); step; step = open.pop()) {
      if (step.matched === target.length) return toMatch(step, secret)
      steps += 1
      if (steps > FEW_STEPS) {
        const key = step.at * (target.length + 1) + step.matched
        seen ??= new Set()
        if (seen.has(key)) continue
        seen.add(key)
      }
      if (step.matched > 0) {
        const gap = readGap(bytes, step.at, level)
        for (const end of gap?.ends ?? [])
          open.push({
            at: end,
            matched: step.matched,
            before: step,
            from: step.at,
            codes: undefined,
            forms: gap?.forms ?? 0,
          })
      }
      const units = readUnits(bytes, step.at, level)
      for (let index = units.length - 1; index >= 0; index--) {
        const unit = units[index]
        if (!unit) continue
        const { codes, next, forms } = readCharacter(bytes, unit, level)
        const matched = codes && matchCodes(codes, secret, target, step.matched)
        if (matched !== undefined)
          open.push({ at: next, matched, before: step, from: step.at, codes, forms })
      }
    }
  }
  return undefined
}

/** Reads a complete character: a UTF-8 lead byte together with the bytes that follow, each plain or escaped. */
function readCharacter(
  bytes: Uint8Array,
  { code, more, next, forms }: Unit,
  level: Level,
): { codes: readonly number[] | undefined; next: number; forms: FormBits } {
  if (code < RAW) return { codes: more ? [code, ...more] : [code], next, forms }
  const lead = code - RAW
  const rest = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc2 ? 1 : 0
  if (rest === 0 || lead > 0xf4) return { codes: undefined, next, forms }
  let value = lead & (0x3f >> rest)
  let at = next
  let seen = forms
  for (let count = 0; count < rest; count++) {
    const unit = expectUnit(bytes, at, level, isContinuation)
    if (!unit) return { codes: undefined, next, forms }
    value = (value << 6) | ((unit.code - RAW) & 0x3f)
    at = unit.next
    seen |= unit.forms
  }
  return { codes: value < RAW ? [value] : undefined, next: at, forms: seen }
}

const isContinuation = (code: number): boolean => code >= RAW + 0x80 && code < RAW + 0xc0

/** Returns the number of matched codes of the target including these codes; `undefined` if they differ. */
function matchCodes(
  codes: readonly number[],
  { fold }: Secret,
  target: readonly number[],
  matched: number,
): number | undefined {
  let at = matched
  for (const code of codes)
    for (const part of fold(code)) {
      if (target[at] !== part) return undefined
      at += 1
    }
  return at
}

function toMatch(last: Step, { value }: Secret): SecretMatch {
  const steps: Step[] = []
  for (let step: Step | undefined = last; step?.before; step = step.before) steps.push(step)
  const pieces: { start: number; end: number }[] = []
  let text = ''
  let forms = 0
  for (const step of steps.toReversed()) {
    forms |= step.forms
    if (step.codes === undefined) continue
    text += String.fromCodePoint(...step.codes)
    const piece = pieces.at(-1)
    if (piece?.end === step.from) piece.end = step.at
    else pieces.push({ start: step.from, end: step.at })
  }
  const start = pieces[0]?.start ?? last.at
  return { start, end: last.at, pieces, forms: forms | differences(text, value) }
}

/** Returns the forms in which a found text differs from the given value. */
function differences(text: string, value: string): FormBits {
  if (text === value) return 0
  if (text.normalize('NFD') === value.normalize('NFD')) return BIT.normalized
  return BIT.letterCase | (text.length === value.length ? 0 : BIT.normalized)
}

/** A value to search for. */
export interface Secret {
  /** Its characters without line breaks and colour codes. */
  value: string
  /**
   * The same, decomposed (NFD) and, if letter case is ignored, in one case: these are compared. There are several only if marks can have another
   * order.
   */
  targets: readonly (readonly number[])[]
  fold: (code: number) => readonly number[]
  /** The least number of bytes of any decoded form. */
  leastBytes: number
  /** Bytes with which the unescaped value may begin and continue. */
  begins: Uint8Array
  continues: Uint8Array
}

/** If fewer characters than this are left without line breaks, the value is searched for with its line breaks. */
const MIN_WITHOUT_BREAKS = 6

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const BREAKS = /[\r\n]+[ \t]*|(?:\u001b\[|\u009b)[ -?]*[@-~]/g

/** Prepares a value for the search. */
export function prepareSecret(text: string, letterCase: LetterCase): Secret {
  const joined = text.replaceAll(BREAKS, '')
  const value = joined.length < MIN_WITHOUT_BREAKS ? text : joined
  const fold = folder(letterCase)
  const written = [value, value.normalize('NFC'), value.normalize('NFD')]
  const targets = getTargets(value, fold)
  const folded = targets.map((codes) => String.fromCodePoint(...codes))
  const begin = { letterCase, isPlain: letterCase === 'exact' && /^[\0-\u007f]*$/.test(value) }
  const forms = [...written, ...folded]
  return {
    value,
    targets,
    fold,
    leastBytes: Math.min(...written.map((form) => getCodes(form).length)),
    begins: bytesThatBegin(forms, 0, begin),
    continues: bytesThatBegin(forms, 1, begin),
  }
}

/** Maximum number of orders of combining marks that are searched for. */
const MAX_TARGETS = 64

/**
 * Returns the targets to compare: one, or several if marks have another order than in NFD, because each such character may be written in either
 * order.
 */
function getTargets(value: string, fold: Secret['fold']): readonly (readonly number[])[] {
  let targets: readonly (readonly number[])[] = [[]]
  for (const character of value.match(/[^]\p{M}*/gu) ?? []) {
    const forms = [character.normalize('NFD'), character, character.normalize('NFC')]
    const ways = new Map(
      forms.map((form) => {
        const codes = getCodes(form).flatMap(fold)
        return [codes.join(), codes] as const
      }),
    )
    const some = targets.length < MAX_TARGETS ? [...ways.values()] : [...ways.values()].slice(0, 1)
    targets = some.flatMap((codes) => targets.map((target) => [...target, ...codes]))
  }
  return targets
}

function getCodes(text: string): readonly number[] {
  return Array.from(text, (char) => char.codePointAt(0) ?? 0)
}

/** Returns a function that decomposes a character and, if letter case is ignored, lowers its case. */
function folder(letterCase: LetterCase): Secret['fold'] {
  const known = new Map<number, readonly number[]>()
  return (code) => {
    const there = known.get(code)
    if (there) return there
    const text = String.fromCodePoint(code).normalize('NFD')
    const folded = letterCase === 'exact' ? text : text.toUpperCase().toLowerCase().normalize('NFD')
    const codes = getCodes(folded)
    known.set(code, codes)
    return codes
  }
}

/** Returns a table of the bytes with which a character of the value, given by its number, may begin; 1 for each of them. */
function bytesThatBegin(
  forms: readonly string[],
  index: number,
  { letterCase, isPlain }: { letterCase: LetterCase; isPlain: boolean },
): Uint8Array {
  const table = new Uint8Array(256)
  // Letters beyond ASCII have too many forms for a list.
  if (!isPlain) table.fill(1, 0xc2)
  for (const form of forms) {
    const char = Array.from(form)[index] ?? ''
    const chars = letterCase === 'exact' ? [char] : [char, char.toLowerCase(), char.toUpperCase()]
    for (const each of chars) {
      const [byte] = Buffer.from(each)
      if (byte !== undefined) table[byte] = 1
    }
  }
  return table
}
