import type { FormatName } from './format-name.ts'
import { FORMATS } from './formats.ts'
import type { ReadConversation } from './read-conversation.ts'
import { splitDocument } from './records/split-document.ts'
import type { Source, SplitSource } from './source.ts'

/** Finds out by its content in which format a file is; `undefined` for none that is known. */
export function detectFormat(source: Source): FormatName | undefined {
  const split = splitSource(source)
  return FORMATS.find(({ is }) => is(split))?.name
}

/**
 * Reads the conversations of a file: in the format that is given, or in the one its content tells. Empty for a file in no format
 * that is known. What is broken in it costs no record that is whole, and is among the problems.
 */
export function readConversations(
  source: Source,
  { from }: { from?: FormatName } = {},
): readonly ReadConversation[] {
  const split = splitSource(source)
  const format = FORMATS.find(({ name, is }) => (from === undefined ? is(split) : name === from))
  return format?.read(split) ?? []
}

function splitSource(source: Source): SplitSource {
  return { ...source, document: splitDocument(source.bytes) }
}
