export { createScrubber, joinScrubbers, type Scrubber } from './scrub/scrub-text.ts'
