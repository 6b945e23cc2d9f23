// Inner parts that the packages of the same version share. No API: they may change in any version.
export { type ShowOptions } from './show/show-context.ts'
export { findShownBlocks, showBlocks } from './show/show-result.ts'
export { tabulateEntries } from './show/show-table.ts'
export { showArguments } from './show/show-value.ts'
export { summarizeArguments, summarizeResult } from './show/summarize-result.ts'
export { type PartKind, type ShownColumn } from './show/shown-part.ts'
