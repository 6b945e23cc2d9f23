export { indentTerminal, joinTerminal, wrapTerminal } from './compose/compose-terminal.ts'
export {
  type TerminalStream,
  type TerminalStreamOptions,
  streamTerminal,
} from './compose/stream-terminal.ts'
export {
  createTerminalStyle,
  type TerminalColors,
  type TerminalStyle,
} from './compose/terminal-style.ts'
export {
  type TerminalLineOptions,
  sanitizeTerminalLine,
  sanitizeTerminalText,
} from './sanitize/sanitize-terminal-text.ts'
export {
  createTerminalSanitizer,
  type SanitizeOptions,
  type TerminalSanitizer,
} from './sanitize/terminal-sanitizer.ts'
export type {
  CodeRole,
  CodeToken,
  ContentReaders,
  MarkdownBlock,
  MarkdownInline,
  MarkdownItem,
} from './show/content-readers.ts'
export type { TruncatedRows, TruncatedText } from './show/truncate-text.ts'
export {
  RendererError,
  type RendererRegistry,
  type ShowOptions,
  type ValueRendererContext,
  type ValueRenderer,
  createRendererRegistry,
} from './show/show-context.ts'
export {
  type ShownResult,
  type RequiredReaders,
  findRequiredReaders,
  findShownBlocks,
  showBlocks,
  showResult,
} from './show/show-result.ts'
export { tabulateEntries } from './show/show-table.ts'
export { showArguments } from './show/show-value.ts'
export {
  type OverviewLine,
  showOverview,
  summarizeArguments,
  summarizeResult,
} from './show/summarize-result.ts'
export type {
  FieldType,
  OmittedUnit,
  ShownChange,
  ShownColumn,
  ShownNode,
  ShownPart,
  ShownTokens,
} from './show/shown-part.ts'
export {
  type ImageProtocol,
  type ImageBounds,
  type ImageWriter,
  type ShownImage,
  findImageProtocol,
  supportsHyperlinks,
} from './terminal/find-abilities.ts'
export type { RenderOptions } from './terminal/terminal-context.ts'
export {
  renderArguments,
  renderTerminal,
  renderTerminalBlocks,
  renderTerminalParts,
  type RenderedResult,
} from './terminal/render-terminal.ts'
