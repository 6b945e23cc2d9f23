export { createGateway, type Gateway } from './gateway/create-gateway.ts'
export type {
  LocalContents,
  LocalFeatures,
  LocalPrompt,
  LocalPromptArgument,
  LocalResource,
} from './gateway/local-features.ts'
