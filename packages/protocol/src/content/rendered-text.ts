import type { ContentBlock } from './content-block.ts'

declare const brand: unique symbol
/** Text for a model: closed fences, tags on one line, well-formed Unicode. */
export type ModelText = string & { readonly [brand]: 'model' }
/** Text for a terminal: no control sequences except colours. */
export type TerminalText = string & { readonly [brand]: 'terminal' }
/** Markup for a page: no element or attribute comes from a tool. */
export type SafeHtml = string & { readonly [brand]: 'html' }

/** Formats blocks for a model. Passed to packages that may not import the formatter. */
export type FormatBlocks = (blocks: readonly ContentBlock[]) => ModelText
/** Renders blocks for a person. Passed to packages that may not import the renderer. */
export type RenderBlocks = (blocks: readonly ContentBlock[]) => TerminalText
/** Renders text as one safe line. Passed to packages that may not import the renderer. */
export type RenderTerminalLine = (text: string) => TerminalText
