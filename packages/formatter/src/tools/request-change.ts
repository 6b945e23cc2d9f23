import type { Problem } from '@toolblocks/protocol'

/** Every kind of change. */
export const REQUEST_CHANGE_CODES = [
  'name-changed',
  'call-id-changed',
  'root-replaced',
  'root-composition-moved',
  'items-added',
  'parameter-renamed',
  'description-cut',
  'result-missing',
  'result-without-call',
] as const

/** What had to be written otherwise than it was given, so that a provider takes the request. Paths are into the `ModelRequest`. */
export type RequestChange = Problem<(typeof REQUEST_CHANGE_CODES)[number]>
