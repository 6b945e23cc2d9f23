/** The role of a token of code. */
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

/** A token of code. The tokens, joined, are the code. */
export interface CodeToken {
  text: string
  role: CodeRole
}

/** Inline Markdown. */
export type MarkdownInline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'break' }
  /** Text with an emphasis, by its `kind`. */
  | { kind: 'strong' | 'emphasis' | 'deleted'; content: readonly MarkdownInline[] }
  /** `uri` comes from a tool and is not checked. */
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
  /** `level`: from 1, the highest, to 6. */
  | { kind: 'heading'; level: number; content: readonly MarkdownInline[] }
  | { kind: 'paragraph'; content: readonly MarkdownInline[] }
  /** `language`: as in the fence. `tokens`: the same text in tokens, if the highlighter knows the language. */
  | { kind: 'code'; text: string; language?: string; tokens?: readonly CodeToken[] }
  | { kind: 'quote'; blocks: readonly MarkdownBlock[] }
  /** `start`: the number of the first item of a numbered list. */
  | { kind: 'list'; start?: number; items: readonly MarkdownItem[] }
  /** For each of the `columns` the head and its `align`; for each of `rows` the cells, one for each column. */
  | {
      kind: 'table'
      columns: readonly { align: 'left' | 'center' | 'right'; content: readonly MarkdownInline[] }[]
      rows: readonly (readonly (readonly MarkdownInline[])[])[]
    }
  | { kind: 'rule' }

/** Reads content in other languages, with libraries that not every host loads: `loadContentReaders` of `@toolblocks/renderer/readers`. */
export interface ContentReaders {
  /** Returns the tokens of code; `undefined` for an unknown language, and for too much code. */
  highlight(code: string, language: string): readonly CodeToken[] | undefined
  /** Returns the blocks of Markdown; `undefined` for too much text. */
  readMarkdown(text: string): readonly MarkdownBlock[] | undefined
}
