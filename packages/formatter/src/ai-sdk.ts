export { aiSdkProfile } from './ai-sdk/ai-sdk-profile.ts'
export type {
  AiSdkCall,
  AiSdkFile,
  AiSdkMessage,
  AiSdkOutput,
  AiSdkPrompt,
  AiSdkReasoning,
  AiSdkResult,
  AiSdkText,
  AiSdkTool,
  ProviderOptions,
} from './ai-sdk/ai-sdk-prompt.ts'
export { readParts, type SaidPart } from './ai-sdk/read-parts.ts'
export { toPrompt } from './ai-sdk/to-prompt.ts'
