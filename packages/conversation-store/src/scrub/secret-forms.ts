/** How a value may be written in what was kept; any two of them may come together, one inside the other. */
const SECRET_FORMS = [
  'as-is',
  'json-escapes',
  'percent-encoding',
  'html-entities',
  'json-pointer',
  'hexadecimal',
  'base64',
  'unicode-normalization',
  'letter-case',
  'color-codes',
  'line-breaks',
] as const

/** One of the ways in which a value may be written. */
export type SecretForm = (typeof SECRET_FORMS)[number]

/** How many times a value was removed in one form. What was written in two forms counts in both. */
export interface FormCount {
  form: SecretForm
  removed: number
}

/** Forms of one match, each a bit: 1 for the first of `SECRET_FORMS`, 2 for the second, and so on. */
export type FormBits = number

/** The bit of each form. `as-is` has none: it is what has no other. */
export const BIT = {
  json: bitOf('json-escapes'),
  percent: bitOf('percent-encoding'),
  html: bitOf('html-entities'),
  pointer: bitOf('json-pointer'),
  hex: bitOf('hexadecimal'),
  base64: bitOf('base64'),
  normalized: bitOf('unicode-normalization'),
  letterCase: bitOf('letter-case'),
  colors: bitOf('color-codes'),
  lines: bitOf('line-breaks'),
} as const

function bitOf(form: SecretForm): FormBits {
  return 1 << SECRET_FORMS.indexOf(form)
}

/** Counts matches by their forms; a form that was not looked for is left out. */
export function countForms(
  matches: readonly FormBits[],
  letterCase: LetterCase,
): readonly FormCount[] {
  return SECRET_FORMS.filter((form) => form !== 'letter-case' || letterCase === 'ignored').map(
    (form) => {
      const isIn = (bits: FormBits): boolean =>
        form === 'as-is' ? bits === 0 : (bits & bitOf(form)) !== 0
      return { form, removed: matches.filter(isIn).length }
    },
  )
}

/** Whether `Token` is the value `token` too. */
export type LetterCase = 'exact' | 'ignored'
