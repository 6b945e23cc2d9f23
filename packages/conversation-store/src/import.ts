export { decodeToolResult } from './import/convert/decode-tool-result.ts'
export type {
  ConversationCounts,
  DatedImport,
  ReadConversation,
} from './import/convert/read-conversation.ts'
export type {
  ImportDetails,
  ImportedEvent,
  ImportedRecord,
} from './import/convert/imported-event.ts'
export { FORMAT_NAMES, type FormatName } from './events/format-name.ts'
export {
  type ImportedConversation,
  detectFormat,
  importConversation,
  readConversations,
  type ReadConversationsOptions,
} from './import/import-conversation.ts'
export { openConversations } from './import/open-conversations.ts'
export { openJpStore } from './import/open-jp-store.ts'
export type { ImportProblem, ImportProblemCode } from './import/records/records.ts'
export {
  type SourceFiles,
  type ImportSource,
  findSourceFiles,
  openSource,
} from './import/sources/source.ts'
export {
  type ConversationPlace,
  listConversationPlaces,
  type PlaceEnvironment,
} from './import/sources/conversation-places.ts'
export { isSqlite } from './import/sources/sqlite-source.ts'
