export { decodeToolResult } from './convert/decode-tool-result.ts'
export { type ConversationCounts, type ReadConversation } from './convert/read-conversation.ts'
export {
  type ImportedConversation,
  detectFormat,
  importConversation,
  readConversations,
  type ReadConversationsOptions,
} from './import-conversation.ts'
export { openConversations } from './open-conversations.ts'
export { openJpStore } from './open-jp-store.ts'
export { type ImportSource, findSourceFiles, openSource } from './sources/source.ts'
export {
  type ConversationPlace,
  listConversationPlaces,
  type PlaceEnvironment,
} from './sources/conversation-places.ts'
export { isSqlite } from './sources/sqlite-source.ts'
export { type SourceFiles } from './sources/source.ts'
export { type ImportProblem } from './records/records.ts'
