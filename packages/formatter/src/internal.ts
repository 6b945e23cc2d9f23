// Inner parts that the packages of the same version share. No API: they may change in any version.
export { formatWithin, type ResultFormat } from './deliver/deliver-result.ts'
export { type Media } from './media/find-media.ts'
export { type MediaPart, type ModelParts, toModelParts } from './media/to-model-parts.ts'
export {
  anthropicProfile,
  gemini2Profile,
  geminiProfile,
  openAiChatProfile,
  openAiCompatibleProfile,
  openAiResponsesProfile,
} from './model/profiles.ts'
export { findContentInRequest } from './request/find-content-in-request.ts'
export { type KeptPart, keepParts, toAssistantParts } from './request/kept-parts.ts'
export {
  readRequest,
  type AnsweredCall,
  type ReadRequest,
  type RequestTurn as Turn,
} from './request/read-request.ts'
export { toArgumentsObject, createNameMap, readArguments } from './tools/tool-names.ts'
