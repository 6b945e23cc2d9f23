export { ApprovalCard, type ApprovalCardProps, type Decision } from './question/approval-card.ts'
export {
  Conversation,
  type ConversationProps,
  type ConversationMessage as Message,
} from './conversation/conversation.ts'
export type { MessageOptions, MessagePart } from './conversation/message-part.ts'
export {
  type ApprovalResponse,
  ToolPart,
  type ToolPartData,
  type ToolPartProps,
  type ToolPartState,
} from './conversation/tool-part.ts'
export type { DraftStorage } from './question/drafts.ts'
export type { AnswerRefusal as Refusal } from './question/refusal.ts'
export {
  type FormAnswer as PersonAnswer,
  QuestionForm,
  type QuestionFormProps,
} from './question/question-form.ts'
export { type ResultOptions, ToolResult, type ToolResultProps } from './result/tool-result.ts'
