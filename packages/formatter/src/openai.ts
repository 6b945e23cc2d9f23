export {
  openAiChatProfile,
  openAiCompatibleProfile,
  openAiResponsesProfile,
} from './model/profiles.ts'
export {
  type OpenAiChatRequest,
  readOpenAiChatMessage,
  toOpenAiChatRequest,
} from './openai/chat.ts'
export {
  type OpenAiResponsesRequest,
  readOpenAiResponse,
  toOpenAiResponsesRequest,
} from './openai/responses.ts'
