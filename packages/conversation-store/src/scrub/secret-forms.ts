/** The forms in which a value is found. */
const SECRET_FORMS = [
  'as-is',
  'json-escapes',
  'percent-encoding',
  'hexadecimal',
  'base64',
  'letter-case',
] as const

/** One of the forms in which a value may be written. */
type SecretForm = (typeof SECRET_FORMS)[number]

/** How many times a value was removed in one form. A value in two forms counts in both. */
export interface FormCount {
  form: SecretForm
  /** Number of places that had the value in this form. */
  removed: number
}

/** The forms of one match, each a bit: 1 for the first of `SECRET_FORMS`, 2 for the second, and so on. */
export type FormBits = number

/** The bit of each form. `as-is` has none, because it means no other form. */
export const BIT = {
  json: getBit('json-escapes'),
  percent: getBit('percent-encoding'),
  hex: getBit('hexadecimal'),
  base64: getBit('base64'),
  letterCase: getBit('letter-case'),
} as const

function getBit(form: SecretForm): FormBits {
  return 1 << SECRET_FORMS.indexOf(form)
}

/** Counts matches by their forms. Forms that were not searched for are omitted. */
export function countForms(
  matches: readonly FormBits[],
  letterCase: LetterCase,
): readonly FormCount[] {
  return SECRET_FORMS.filter((form) => form !== 'letter-case' || letterCase === 'ignored').map(
    (form) => {
      const isIn = (bits: FormBits): boolean =>
        form === 'as-is' ? bits === 0 : (bits & getBit(form)) !== 0
      return { form, removed: matches.filter(isIn).length }
    },
  )
}

/** Whether letter case counts. `ignored`: `Token` matches the value `token` too. */
export type LetterCase = 'exact' | 'ignored'

/** A place of a text where a value stands, as Latin-1: each character is a byte. */
export interface SecretSpan {
  start: number
  end: number
  forms: FormBits
  /** What to write there, of the same number of characters unless some are escaped. Absent for a value that is not encoded as a whole: any text can replace it. */
  encoded?: string
}
