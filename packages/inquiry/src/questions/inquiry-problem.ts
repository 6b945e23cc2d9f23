import type { Problem } from '@toolblocks/protocol'

/** The codes of what is odd about an inquiry. */
export const INQUIRY_PROBLEM_CODES = [
  'invalid-default',
  'invalid-schema',
  'not-settled',
  'odd-envelope',
  'port-failed',
  'repeated-question',
  'static-answer',
] as const

/**
 * What was odd about an inquiry, in `metadata.warnings` of its result: a default that its schema refuses, a schema that is none, a tool or port that did not settle after an abort, a status that does not go with the
 * content, a port that threw, a question asked twice in one result, an answer known before that does not fit.
 */
export type InquiryProblemCode = (typeof INQUIRY_PROBLEM_CODES)[number]

/** A warning of an inquiry. */
export type InquiryProblem = Problem<InquiryProblemCode>

/** The warning about who was told to stop and did not: what it comes to later is dropped. */
export function notSettled(who: string, ms: number): InquiryProblem {
  const message = `${who} did not settle within ${ms / 1000} s of the abort; what comes of it later is dropped`
  return { path: '', message, code: 'not-settled' }
}
