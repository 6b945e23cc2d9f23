import type { Problem } from '@toolblocks/protocol'

/** All kinds of changes. */
export const REQUEST_CHANGE_CODES = [
  'name-changed',
  'call-id-changed',
  'schema-corrected',
  'root-replaced',
  'root-composition-moved',
  'items-added',
  'parameter-renamed',
  'description-cut',
  'result-missing',
  'result-without-call',
] as const

/** A change that makes a request valid for a provider. Paths are into the `ModelRequest`. */
export type RequestChange = Problem<(typeof REQUEST_CHANGE_CODES)[number]>
