export { createGateway, type Gateway, type GatewayClient } from './gateway/create-gateway.ts'
export { shareConnection, type SharedConnection } from './gateway/share-connection.ts'
export {
  type LocalContents,
  type LocalFeatures,
  type LocalPrompt,
  type LocalResource,
} from './gateway/local-features.ts'
