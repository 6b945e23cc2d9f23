export {
  type Agent,
  type AgentOptions,
  type AgentPeople,
  type CallOrigin,
  createAgent,
  type UsedModel,
} from './create-agent.ts'
export { type AgentDefinition, describeDelegate } from './delegate.ts'
export {
  createModelAnswerer,
  type ModelAnswererOptions,
  type OpenModel,
} from './answer-by-model.ts'
export {
  createDeliverer,
  type Delivered,
  type DeliverToModel,
  type DeliveryLimits,
  type DeliveryOptions,
} from './deliver-results.ts'
export {
  type AskNotice,
  type Model,
  ModelError,
  type ModelErrorCode,
  type ModelEvent,
  type ModelMessageEvent,
  type ModelSettings,
} from './model.ts'
export { type Conversation, ConversationConflict, openConversation } from './open-conversation.ts'
export {
  type CallsStop,
  runTurn,
  type ShowMoment,
  type TurnEnd,
  type TurnMoment,
  type TurnParts,
} from './run-turn.ts'
export { createScriptedModel, type ScriptedTurn } from './scripted-model.ts'
