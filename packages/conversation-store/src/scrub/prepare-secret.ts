import type { LetterCase } from './secret-forms.ts'

/** A value that is looked for. */
export interface Secret {
  /** Its characters without line breaks and colour codes. */
  value: string
  /** The same, decomposed (NFD) and, where letter case does not count, in one case: what is compared. One is enough but where marks have another order. */
  targets: readonly (readonly number[])[]
  fold: (code: number) => readonly number[]
  /** No form of it has fewer bytes when it is decoded. */
  leastBytes: number
  /** Bytes with which it may begin and go on where nothing is escaped. */
  begins: Uint8Array
  goesOn: Uint8Array
}

/** A value of which less than this is left without its line breaks is looked for with them. */
const LEAST_WITHOUT_BREAKS = 6
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const BREAKS = /[\r\n]+[ \t]*|(?:\u001b\[|\u009b)[ -?]*[@-~]/g

/** Prepares a value to be looked for. */
export function prepareSecret(text: string, letterCase: LetterCase): Secret {
  const joined = text.replaceAll(BREAKS, '')
  const value = joined.length < LEAST_WITHOUT_BREAKS ? text : joined
  const fold = folder(letterCase)
  const written = [value, value.normalize('NFC'), value.normalize('NFD')]
  const targets = targetsOf(value, fold)
  const folded = targets.map((codes) => String.fromCodePoint(...codes))
  const begin = { letterCase, isPlain: letterCase === 'exact' && /^[\0-\u007f]*$/.test(value) }
  const forms = [...written, ...folded]
  return {
    value,
    targets,
    fold,
    leastBytes: Math.min(...written.map((form) => codesOf(form).length)),
    begins: bytesThatBegin(forms, 0, begin),
    goesOn: bytesThatBegin(forms, 1, begin),
  }
}

/** Ways in which marks on the characters of a value may be ordered that are looked for. */
const MOST_TARGETS = 64

/** What is compared: one target, but where marks stand in another order than NFD has them, as each such character may be written in either. */
function targetsOf(value: string, fold: Secret['fold']): readonly (readonly number[])[] {
  let targets: readonly (readonly number[])[] = [[]]
  for (const character of value.match(/[^]\p{M}*/gu) ?? []) {
    const forms = [character.normalize('NFD'), character, character.normalize('NFC')]
    const ways = new Map(
      forms.map((form) => {
        const codes = codesOf(form).flatMap(fold)
        return [codes.join(), codes] as const
      }),
    )
    const some = targets.length < MOST_TARGETS ? [...ways.values()] : [...ways.values()].slice(0, 1)
    targets = some.flatMap((codes) => targets.map((target) => [...target, ...codes]))
  }
  return targets
}

function codesOf(text: string): readonly number[] {
  return Array.from(text, (char) => char.codePointAt(0) ?? 0)
}

/** Decomposes a character, and takes its case from it where that does not count. */
function folder(letterCase: LetterCase): Secret['fold'] {
  const known = new Map<number, readonly number[]>()
  return (code) => {
    const there = known.get(code)
    if (there) return there
    const text = String.fromCodePoint(code).normalize('NFD')
    const folded = letterCase === 'exact' ? text : text.toUpperCase().toLowerCase().normalize('NFD')
    const codes = codesOf(folded)
    known.set(code, codes)
    return codes
  }
}

/** The bytes that a character of a value, by its number, may begin with; 1 for each of them. */
function bytesThatBegin(
  forms: readonly string[],
  index: number,
  { letterCase, isPlain }: { letterCase: LetterCase; isPlain: boolean },
): Uint8Array {
  const table = new Uint8Array(256)
  // Letters beyond ASCII have more forms than are worth a list.
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
