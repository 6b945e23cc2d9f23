export type {
  AnthropicCall,
  AnthropicMessage,
  AnthropicPart,
  AnthropicRequest,
  AnthropicResult,
  AnthropicText,
  AnthropicThinking,
  AnthropicTool,
} from './anthropic/anthropic-request.ts'
export { type AnthropicAnswer, readAnswer } from './anthropic/read-answer.ts'
export { toRequest } from './anthropic/to-request.ts'
export { anthropicProfile } from './model-parts/profiles.ts'
