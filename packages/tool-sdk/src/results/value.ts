import { type ContentBlock, describeValue } from '@toolblocks/protocol'
import type { Output } from './returned.ts'
import { text } from './text.ts'

/**
 * Makes a result of a JSON value and the words for it. A value with a `kind` and `data` (a table, a diff, …) is shown to people by what it
 * is; any other is for programs. A model gets the words. Throws without words.
 */
export function value<Structured>(
  structuredContent: Structured,
  words: string | ContentBlock | readonly ContentBlock[],
): Output<Structured> {
  return { content: blocksOf(words), isError: false, structuredContent }
}

function blocksOf(words: string | ContentBlock | readonly ContentBlock[]): readonly ContentBlock[] {
  if (typeof words === 'string') return [text(words)]
  // Untyped tools leave them out.
  if (typeof words !== 'object' || words === null)
    throw new TypeError(
      `value(structured, words) needs words for the model: expected a text, a block or an array of blocks, got ${describeValue(words)}`,
    )
  return 'type' in words ? [words] : words
}
