/** A secret that a rule has found: a range of the text, and the rule. */
export interface FoundRange {
  start: number
  end: number
  rule: string
}

/** Names whose values are secrets, at the end of a variable or a field. */
const NAME =
  '(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIALS?)'

/** Forms in which a value is given a name, or sent with one. The group is the value. None can be slow: each part ends where the next begins. */
const FORMS: readonly (readonly [rule: string, pattern: RegExp])[] = [
  // DB_PASSWORD=… and PASSWORD=…, as in the environment; a program has spaces, or calls a function.
  [
    'variable',
    new RegExp(
      String.raw`\b(?:[A-Z][A-Z0-9_]{0,60}?)?${NAME}(?:_ID)?=["']?([^\s"'\`$<>(){},;]{6,500})`,
      'dg',
    ),
  ],
  // password=hunter2, as in a command, an address or a file of settings. A value without a digit may be a name.
  [
    'setting',
    new RegExp(
      String.raw`\b[\w-]{0,60}?${NAME}[=:](?=[^\s"'\`$<>(){},;&]{0,500}\d)([^\s"'\`$<>(){},;&]{6,500})`,
      'dgi',
    ),
  ],
  // "password": "…" and token = '…', where the value is quoted.
  [
    'field',
    new RegExp(
      String.raw`\b[\w-]{0,60}?${NAME}["']?\s{0,4}[:=]\s{0,4}(["'])((?:(?!\1)[^\\\s$<>{}]){6,500})\1`,
      'dgi',
    ),
  ],
  ['bearer', /\bBearer\s+([\w.~+/-]{20,2000}=*)/dg],
  ['jwt', /\b(eyJ[\w-]{8,2000}\.eyJ[\w-]{2,4000}\.[\w-]{8,2000})/dg],
  ['basic', /\bcurl\b[^\n]{0,400}?\s(?:-u|--user)[\s=]["']?[^\s:"']{1,100}:([^\s"'$<>]{4,200})/dg],
  // Keys of providers of models, also of forms that are newer than the rules.
  ['key', /\b(sk-(?=[\w-]{0,300}\d)[\w-]{20,300})/dg],
  ['google', /\b(AIza[\w-]{35})(?![\w-])/dg],
  ['aws-id', /\b((?:AKIA|ASIA)[A-Z0-9]{16})\b/dg],
]

/** Values that stand for a secret and are none. */
const PLACEHOLDER =
  /^(?:x+|\*+|\.+|-+|your\b.*|my[-_].*|example.*|change.?me|placeholder|redacted|secret|password|token|null|none|undefined|true|false|string|process\.env.*|os\.environ.*|secrets\..*)$/i

/** Finds values by the names that they are given, in forms that the rules of secretlint do not have. */
export function findAssignedSecrets(text: string): readonly FoundRange[] {
  return FORMS.flatMap(([rule, pattern]) =>
    [...text.matchAll(pattern)].flatMap(({ indices }) => {
      const [start, end] = indices?.at(-1) ?? [0, 0]
      return PLACEHOLDER.test(text.slice(start, end)) ? [] : [{ start, end, rule }]
    }),
  )
}
