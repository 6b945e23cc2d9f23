export { decodeToolResult } from './convert/decode-tool-result.ts'
export type {
  ConversationCounts,
  DatedImport,
  ReadConversation,
} from './convert/read-conversation.ts'
export type { ImportDetails, ImportedEvent, ImportedRecord } from './convert/imported-event.ts'
export {
  type ImportedConversation,
  detectFormat,
  importConversation,
  readConversations,
  type ReadConversationsOptions,
} from './import-conversation.ts'
export { openConversations } from './open-conversations.ts'
export { openJpStore } from './open-jp-store.ts'
export type { ImportProblem, ImportProblemCode } from './records/records.ts'
export {
  type SourceFiles,
  type ImportSource,
  findSourceFiles,
  openSource,
} from './sources/source.ts'
export {
  type ConversationPlace,
  listConversationPlaces,
  type PlaceEnvironment,
} from './sources/conversation-places.ts'
export { isSqlite } from './sources/sqlite-source.ts'
