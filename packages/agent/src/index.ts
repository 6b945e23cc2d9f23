export { type Agent, type AgentTurn } from './agent.ts'
export { type AgentOptions, createAgent } from './create-agent.ts'
export { type AgentPorts, type CallOrigin } from './decide-calls.ts'
export { type AgentHost, ConversationHeld } from './hold-conversation.ts'
export { hasOpenTurn } from './waiting-calls.ts'
export { getPendingOptions } from './get-pending-options.ts'
export { type AgentDefinition, defineDelegateTool } from './delegate.ts'
export { createModelAnswerer } from './answer-by-model.ts'
export { createDeliverer, type DeliveredToModel, type DeliveryLimits } from './deliver-results.ts'
export {
  type ModelWithProfile,
  type Model,
  ModelError,
  type ModelEvent,
  type ModelMessageEvent,
  type ModelSettings,
} from './model.ts'
export { type Conversation, ConversationConflict, openConversation } from './open-conversation.ts'
export {
  type CallCancellation,
  type OnTurnEvent,
  type TurnEnd,
  type TurnEvent,
} from './run-turn.ts'
export { createScriptedModel, type ScriptedTurn } from './scripted-model.ts'
