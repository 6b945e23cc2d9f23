/** How structured content is delivered beside the blocks (`docs/protocol.md`, "What a model gets"). */
export type StructuredPolicy = 'auto' | 'content' | 'structured' | 'both'

/** How results are formatted for a model. */
export interface FormatOptions {
  /**
   * What becomes of `structuredContent`. `auto` (default): it is added, unless a text block carries the same JSON or it is a
   * semantic value with text beside it. `content`: left out. `structured`: replaces text. `both`: always added. Media and links
   * are delivered in any case. What is left out and no text carries is named in one line, or delivered if there is nothing else.
   */
  structured?: StructuredPolicy
  /** `name`: a line before each resource with its title, name, path or uri, and its line range, but not before one with `formatted`. Default: `none`. */
  resourceHeader?: 'none' | 'name'
  /** Absolute path of the workspace, so that headers show paths relative to it. */
  root?: string
}
