import type { Annotations, ContentBlock, TextContent } from '@toolblocks/protocol'

/** Content as authors write it: a text stands for a block of text. */
export type ToolContent = string | ContentBlock | readonly (string | ContentBlock)[]

/**
 * Makes a block of text, which reaches a model character for character. `mimeType`, such as `text/markdown`, tells a host how to show the text
 * to a person. Default: plain text.
 */
export function text(
  content: string,
  options: { readonly mimeType?: string; readonly annotations?: Annotations } = {},
): TextContent {
  return { type: 'text', text: content, ...options }
}

/** The blocks of content that may have texts among them. */
export function toBlocks(content: ToolContent): readonly ContentBlock[] {
  if (typeof content === 'string') return [text(content)]
  if ('type' in content) return [content]
  return content.map((each) => (typeof each === 'string' ? text(each) : each))
}
