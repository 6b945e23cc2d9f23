export {
  openaiChatProfile,
  openaiCompatibleProfile,
  openaiResponsesProfile,
} from './model/profiles.ts'
export {
  type ChatAnswer,
  type ChatCall,
  type ChatMessage,
  type ChatPart,
  type ChatRequest,
  type ChatTool,
  readChatMessage,
  toChatRequest,
} from './openai/chat.ts'
export {
  type ResponsesAnswer,
  type ResponsesCall,
  type ResponsesItem,
  type ResponsesKept,
  type ResponsesPart,
  type ResponsesRequest,
  type ResponsesTool,
  readResponse,
  toResponsesRequest,
} from './openai/responses.ts'
