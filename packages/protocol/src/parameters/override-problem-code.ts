/** The codes of overrides. */
export const OVERRIDE_PROBLEM_CODES = ['unknown-parameter', 'loosened-parameter'] as const

/** Why an override was not applied: the `code` of its `Problem`. */
export type OverrideProblemCode = (typeof OVERRIDE_PROBLEM_CODES)[number]
