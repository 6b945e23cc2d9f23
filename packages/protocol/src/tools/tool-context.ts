import type { AnswerQuestion, Answers } from '../questions/answer.ts'
import type { ToolCall } from './tool-call.ts'
import type { BlobRef, ToolResult } from './tool-result.ts'

/** Takes bytes before they are interpreted; a host implements it over its store. */
export type KeepBytes = (
  bytes: AsyncIterable<Uint8Array> | Uint8Array,
  about: { call: string; stream: 'stdout' | 'stderr' | 'mcp' },
) => Promise<BlobRef>

/** How far a call is. */
export interface Progress {
  progress?: number
  total?: number
  message?: string
}

interface SharedContext {
  signal: AbortSignal
  /** Absolute path of the workspace. */
  root: string
  workspaceId?: string
  conversationId?: string
  /** Absent: bytes are dropped after parsing, counted and said. */
  keepBytes?: KeepBytes
  onProgress?: (progress: Progress) => void
}

/** Whom a host can ask: two ports, because routes are per tool and only the executor knows the tool's. */
export interface AskPorts {
  user?: AnswerQuestion
  assistant?: AnswerQuestion
}

/** What a host gives for one call. */
export interface CallContext extends SharedContext {
  ask?: AskPorts
  /** Answers known before the call starts: taken when they are asked for, if they fit. */
  answers?: Answers
  /** With nobody to ask: fail the call (default), or return the result with its questions. */
  unanswered?: 'fail' | 'return'
}

/** What a tool gets for one call. */
export interface ToolContext extends SharedContext {
  /** One port: already routed, checked and recorded. */
  ask?: AnswerQuestion
  answers: Answers
  /** The tool's own settings from the configuration. */
  options?: Readonly<Record<string, unknown>>
}

/** What a tool is given of what a host gave: everything shared, and what is the tool's own. */
export function toToolContext(
  { ask: _ports, answers: _known, unanswered: _unanswered, ...shared }: CallContext,
  own: Partial<Pick<ToolContext, 'ask' | 'answers' | 'options'>>,
): ToolContext {
  return { ...shared, answers: {}, ...own }
}

/** Runs one call from start to end. Never rejects for anything the tool did. */
export type CallTool = (call: ToolCall, context: CallContext) => Promise<ToolResult>
