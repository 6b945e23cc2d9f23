import type { ReadConversation } from '../read-conversation.ts'
import { type SourceDocument, splitDocument } from '../records/split-document.ts'
import type { SplitSource } from '../sources/source.ts'

/** Reads the file of an export: one conversation, or an array of them. What is wrong with the array is told with its first. */
export function readExportFile(
  { document }: SplitSource,
  readOne: (document: SourceDocument, problems: SourceDocument['problems']) => ReadConversation,
): readonly ReadConversation[] {
  if (document.shape === 'object') return [readOne(document, [])]
  return document.records.map(({ bytes }, index) =>
    readOne(splitDocument(bytes), index === 0 ? document.problems : []),
  )
}
