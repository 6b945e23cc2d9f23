export { decodeToolResult } from './import/blocks/decode-tool-result.ts'
export type { Counts } from './import/counts.ts'
export { FORMAT_NAMES, type FormatName } from './events/format-name.ts'
export {
  importConversation,
  type ImportedConversation,
} from './import/into-store/import-conversation.ts'
export { openJpRows } from './import/into-store/open-jp-rows.ts'
export type { ImportProblem, ImportProblemCode } from './import/import-problem.ts'
export type {
  DatedImport,
  ImportDetails,
  ImportedEvent,
  ImportedRecord,
} from './import/imported-event.ts'
export type { ReadConversation } from './import/read-conversation.ts'
export { detectFormat, readConversations } from './import/read-conversations.ts'
export type { Source } from './import/sources/source.ts'
export { type FoundFiles, findSourceFiles, openSource } from './import/sources/source-files.ts'
export {
  type ConversationPlace,
  conversationPlaces,
  type Machine,
} from './import/sources/conversation-places.ts'
export { isSqlite } from './import/sqlite/sqlite-source.ts'
