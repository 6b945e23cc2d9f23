export { indentTerminal, joinTerminal, wrapTerminal } from './compose/compose-terminal.ts'
export {
  type TerminalStream,
  type TerminalStreamOptions,
  streamTerminal,
} from './compose/stream-terminal.ts'
export { createTerminalStyle, type TerminalStyle } from './compose/terminal-style.ts'
export { sanitizeTerminalLine, sanitizeTerminalText } from './sanitize/sanitize-terminal-text.ts'
export { createTerminalSanitizer, type TerminalSanitizer } from './sanitize/terminal-sanitizer.ts'
export { type ContentReaders } from './show/content-readers.ts'
export {
  RendererError,
  type RendererRegistry,
  type ValueRendererContext,
  type ValueRenderer,
  createRendererRegistry,
} from './show/show-context.ts'
export { findRequiredReaders } from './show/show-result.ts'
export { findImageProtocol, supportsHyperlinks } from './terminal/find-abilities.ts'
export { type RenderOptions } from './terminal/terminal-context.ts'
export {
  renderArguments,
  renderTerminal,
  renderTerminalBlocks,
  renderTerminalParts,
  type RenderedResult,
} from './terminal/render-terminal.ts'
export { type OverviewLine, showOverview } from './show/summarize-result.ts'
export { showResult } from './show/show-result.ts'
export { type ShownPart } from './show/shown-part.ts'
export { type ShownResult } from './show/show-result.ts'
export { type RequiredReaders } from './show/show-result.ts'
export { type ImageWriter } from './terminal/find-abilities.ts'
