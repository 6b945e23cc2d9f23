import type { Annotations, TextContent } from '@toolblocks/protocol'

/** Makes a block of words, which reach a model as they are. `mimeType`, such as `text/markdown`, is for people's hosts. */
export function text(
  words: string,
  options: { readonly mimeType?: string; readonly annotations?: Annotations } = {},
): TextContent {
  return { type: 'text', text: words, ...options }
}
