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
