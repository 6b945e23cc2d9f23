import type { Problem } from '@toolblocks/protocol'

/** All codes of `BridgeProblem`. */
export const BRIDGE_PROBLEM_CODES = [
  'malformed-server',
  'unset-variable',
  'malformed-list',
  'stray-line',
  'schema-corrected',
  'unused-override',
  'output-schema',
  'raw-not-kept',
  'link-not-read',
  'elicitation-refused',
] as const

/** Kinds of problems in the configuration of servers, or in what they send. */
export type BridgeProblemCode = (typeof BRIDGE_PROBLEM_CODES)[number]

/** One problem in the configuration of servers, or in what they send. */
export type BridgeProblem = Problem<BridgeProblemCode>
