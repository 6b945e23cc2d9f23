export {
  openAiChatProfile,
  openAiCompatibleProfile,
  openAiResponsesProfile,
} from './model/profiles.ts'
export {
  type OpenAiChatReading,
  type OpenAiChatCall,
  type OpenAiChatMessage,
  type OpenAiChatPart,
  type OpenAiChatRequest,
  type OpenAiChatTool,
  readOpenAiChatMessage,
  toOpenAiChatRequest,
} from './openai/chat.ts'
export {
  type OpenAiResponseReading,
  type OpenAiResponsesCall,
  type OpenAiResponsesItem,
  type OpenAiResponsesOutputItem,
  type OpenAiResponsesPart,
  type OpenAiResponsesRequest,
  type OpenAiResponsesTool,
  readOpenAiResponse,
  toOpenAiResponsesRequest,
} from './openai/responses.ts'
