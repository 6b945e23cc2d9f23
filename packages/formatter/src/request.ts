export {
  readRequest,
  type AnsweredCall,
  type ReadRequest,
  type Turn,
} from './request/read-request.ts'
export { findCrowded, type Crowded } from './request/find-content-in-request.ts'
export { type KeptPart, keepParts, toAssistantParts } from './request/kept-parts.ts'
export { createNameMap, type NameMap, readArguments } from './tools/tool-names.ts'
export { toProviderTools, type ProviderTool } from './tools/to-provider-tools.ts'
export {
  anthropicProfile,
  gemini2Profile,
  geminiProfile,
  openAiChatProfile,
  openAiCompatibleProfile,
  openAiResponsesProfile,
} from './model/profiles.ts'
