import type { Problem } from '@toolblocks/protocol'

/** The codes of the warnings of an inquiry. */
export const INQUIRY_PROBLEM_CODES = [
  'invalid-default',
  'invalid-schema',
  'not-settled',
  'inconsistent-result',
  'port-failed',
  'repeated-question',
  'static-answer',
] as const

/**
 * The warnings of an inquiry, in `metadata.warnings` of its result: a default that its schema refuses, an invalid schema, a tool or port that did
 * not settle after an abort, a status that contradicts the content, a port that threw, a question asked twice in one result, an invalid answer
 * known in advance.
 */
type InquiryProblemCode = (typeof INQUIRY_PROBLEM_CODES)[number]

/** A warning of an inquiry. */
export type InquiryProblem = Problem<InquiryProblemCode>
