import type { ContentBlock } from '../content/content-block.ts'

declare const brand: unique symbol
/** Text for a model: fences that close, tags on one line, well-formed Unicode. */
export type ModelText = string & { readonly [brand]: 'model' }
/** Text for a terminal: no control sequence but colours. */
export type TerminalText = string & { readonly [brand]: 'terminal' }
/** Markup for a page: no element or attribute from a tool. */
export type SafeHtml = string & { readonly [brand]: 'html' }

/** Shows blocks to a model; passed to packages that may not import the formatter. */
export type FormatBlocks = (blocks: readonly ContentBlock[]) => ModelText
/** Shows blocks to a person; passed to packages that may not import the renderer. */
export type RenderBlocks = (blocks: readonly ContentBlock[]) => TerminalText
/** Shows text as one line in which nothing acts or hides; passed to packages that may not import the renderer. */
export type RenderTerminalLine = (text: string) => TerminalText
