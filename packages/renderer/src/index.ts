export { indentTerminal } from './compose/indent-terminal.ts'
export { joinTerminal } from './compose/join-terminal.ts'
export {
  createTerminalStyle,
  type TerminalColors,
  type TerminalStyle,
} from './compose/terminal-style.ts'
export { wrapTerminal } from './compose/wrap-terminal.ts'
export { renderArguments } from './render/render-arguments.ts'
export type { RenderOptions } from './render/render-options.ts'
export {
  renderTerminal,
  renderTerminalParts,
  type RenderedResult,
} from './render/render-terminal.ts'
export { renderTerminalBlocks } from './render/render-terminal-blocks.ts'
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
