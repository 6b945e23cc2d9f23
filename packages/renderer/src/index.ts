export { indentTerminal, joinTerminal } from './compose/compose-terminal.ts'
export { type StreamedText, type StreamOptions, streamTerminal } from './compose/stream-terminal.ts'
export {
  createTerminalStyle,
  type TerminalColors,
  type TerminalStyle,
} from './compose/terminal-style.ts'
export { wrapTerminal } from './compose/wrap-terminal.ts'
export {
  sanitizeTerminalLine,
  type TerminalLineOptions,
} from './sanitize/sanitize-terminal-line.ts'
export { sanitizeTerminalText } from './sanitize/sanitize-terminal-text.ts'
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
} from './show/context/content-readers.ts'
export type { CutRows } from './show/cut-rows.ts'
export type { CutText } from './show/cut-text.ts'
export {
  createRendererRegistry,
  RendererError,
  type RendererRegistry,
  type ValueRenderer,
} from './show/context/renderer-registry.ts'
export type { ValueContext } from './show/context/show-context.ts'
export type { ShowOptions } from './show/context/show-options.ts'
export { showResult, type ShownResult } from './show/show-result.ts'
export { showOverview, type OverviewLine } from './show/show-overview.ts'
export type {
  FieldType,
  LeftUnit,
  ShownChange,
  ShownColumn,
  ShownNode,
  ShownPart,
  ShownTokens,
} from './show/shown-part.ts'
export { summarizeResult } from './show/summarize-result.ts'
export { findImageProtocol, type ImageProtocol, knowsLinks } from './terminal/find-abilities.ts'
export type { ImageRoom, ImageWriter, ShownImage } from './terminal/image-writer.ts'
export type { RenderOptions } from './terminal/render-options.ts'
export {
  renderArguments,
  renderTerminal,
  renderTerminalBlocks,
  renderTerminalParts,
  type RenderedResult,
} from './terminal/render-terminal.ts'
export { findWantedReaders, type WantedReaders } from './show/context/wanted-readers.ts'
