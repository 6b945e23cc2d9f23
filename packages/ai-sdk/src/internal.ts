export { aiSdkProfile, readAiSdkParts, toAiSdkPrompt } from './prompt/to-ai-sdk-prompt.ts'
