export { createAiSdkModel } from './model/create-ai-sdk-model.ts'
