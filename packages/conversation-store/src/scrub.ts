export { createScrubber, joinScrubbers, type Scrubber } from './scrub/scrub-text.ts'
export type { FormBits, LetterCase } from './scrub/secret-forms.ts'
