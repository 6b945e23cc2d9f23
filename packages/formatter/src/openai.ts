export {
  openaiChatProfile,
  openaiCompatibleProfile,
  openaiResponsesProfile,
} from './model-parts/profiles.ts'
export type {
  ChatCall,
  ChatMessage,
  ChatPart,
  ChatRequest,
  ChatTool,
  ResponsesCall,
  ResponsesItem,
  ResponsesKept,
  ResponsesPart,
  ResponsesRequest,
  ResponsesTool,
} from './openai/openai-request.ts'
export { type ChatAnswer, readChatMessage } from './openai/read-chat-message.ts'
export { readResponse, type ResponsesAnswer } from './openai/read-response.ts'
export { toChatRequest } from './openai/to-chat-request.ts'
export { toResponsesRequest } from './openai/to-responses-request.ts'
