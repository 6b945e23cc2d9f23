import type { Problem } from '@toolblocks/protocol'

/** The codes of what this package finds wrong: with definitions, and with what a program did. */
export const LOCAL_PROBLEM_CODES = [
  // of a definition
  'empty-command',
  'unbalanced-quotes',
  'unknown-placeholder',
  'placeholder-in-program',
  'unknown-argument',
  'invalid-timeout',
  'invalid-actions',
  'invalid-variable',
  // of a call
  'processes-left-behind',
  'over-limit',
  'output-not-kept',
] as const

/**
 * What is wrong with a definition (`LocalToolError.problems`), or with what a program did (`metadata.warnings`, where those of the parser
 * stand too).
 */
export type LocalProblemCode = (typeof LOCAL_PROBLEM_CODES)[number]

/** What is wrong with a definition, or with what a program did. */
export type LocalProblem = Problem<LocalProblemCode>
