/** The codes of warnings. */
export const WARNING_CODES = [
  // skipped blocks
  'malformed-block',
  'unknown-block-type',
  'invalid-base64',
  'missing-mime-type',
  'duplicate-question-id',
  'too-many-questions',
  // repaired blocks
  'repaired-base64',
  'sniffed-mime-type',
  'dropped-field',
  'renamed-field',
  'coerced-text',
  'hoisted-field',
  'text-and-blob',
  'derived-name',
  'long-uri',
  'local-resource-link',
  // values that are not kept as they came
  'proto-key',
  'repeated-key',
  'number-out-of-range',
  'not-json',
  'over-limit',
  // the result around the blocks
  'coerced-content',
  'coerced-is-error',
  'moved-to-wire',
  'legacy-tool-result',
  'malformed-result',
  'malformed-definition',
  // the output as text
  'invalid-utf-8',
  'utf-16',
  'invalid-json',
  'text-around-json',
  'missing-content',
] as const

/**
 * Stable names of what the parser warns of, in `Problem.code`. A warning whose path is exactly `/content/<index>`
 * means that this block was skipped; every other one is a repair or a remark.
 */
export type WarningCode = (typeof WARNING_CODES)[number]
