/** What a piece of code is. */
export type CodeRole =
  | 'plain'
  | 'keyword'
  | 'string'
  | 'number'
  | 'comment'
  | 'name'
  | 'type'
  | 'property'
  | 'meta'
  | 'added'
  | 'removed'

/** A piece of code; the pieces of a code, joined, are the code. */
export interface CodeToken {
  text: string
  role: CodeRole
}

/** Markdown in a line. */
export type MarkdownInline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'break' }
  /** Words with an emphasis, by its `kind`. */
  | { kind: 'strong' | 'emphasis' | 'deleted'; content: readonly MarkdownInline[] }
  /** `uri` is a tool's, and nobody vetted it. */
  | { kind: 'link'; uri: string; content: readonly MarkdownInline[] }
  | { kind: 'image'; uri: string; text: string }

/** An item of a list. */
export interface MarkdownItem {
  /** Present for a task. */
  isDone?: boolean
  blocks: readonly MarkdownBlock[]
}

/** Markdown in blocks. HTML in it is text. */
export type MarkdownBlock =
  /** `level`: from 1, the greatest, to 6. */
  | { kind: 'heading'; level: number; content: readonly MarkdownInline[] }
  | { kind: 'paragraph'; content: readonly MarkdownInline[] }
  /** `language`: as the fence says it. `tokens`: the same text in pieces, where a highlighter knew the language. */
  | { kind: 'code'; text: string; language?: string; tokens?: readonly CodeToken[] }
  | { kind: 'quote'; blocks: readonly MarkdownBlock[] }
  /** `start`: the number of the first item, for a list that counts. */
  | { kind: 'list'; start?: number; items: readonly MarkdownItem[] }
  /** Of each of the `columns` the head and its `align`; of each of `rows` the cells, one for each column. */
  | {
      kind: 'table'
      columns: readonly { align: 'left' | 'center' | 'right'; content: readonly MarkdownInline[] }[]
      rows: readonly (readonly (readonly MarkdownInline[])[])[]
    }
  | { kind: 'rule' }

/**
 * Reads content in languages of its own, by libraries that not every host wants to load: `createContentReaders` of
 * `@toolblocks/renderer/readers` has them.
 */
export interface ContentReaders {
  /** The pieces of a code; undefined for a language that it does not know, and for too much. */
  highlight(code: string, language: string): readonly CodeToken[] | undefined
  /** The blocks of Markdown; undefined for too much. */
  readMarkdown(text: string): readonly MarkdownBlock[] | undefined
}
