// Inner parts that the packages of the same version share. No API: they may change in any version.
export {
  type CodeToken,
  type MarkdownBlock,
  type MarkdownInline,
  type MarkdownItem,
} from './show/content-readers.ts'
export { type TruncatedText } from './show/truncate-text.ts'
export { type ShowOptions } from './show/show-context.ts'
export { findShownBlocks, showBlocks } from './show/show-result.ts'
export { tabulateEntries } from './show/show-table.ts'
export { showArguments } from './show/show-value.ts'
export { summarizeArguments, summarizeResult } from './show/summarize-result.ts'
export {
  type FieldType,
  type OmittedUnit,
  type ShownChange,
  type ShownColumn,
  type ShownNode,
  type PartKind,
} from './show/shown-part.ts'
