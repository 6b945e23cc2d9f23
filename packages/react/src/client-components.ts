// The entry for server components of React, which may render these components and not call them.
'use client'

export { ApprovalCard, Conversation, QuestionForm, ToolPart, ToolResult } from './index.ts'
