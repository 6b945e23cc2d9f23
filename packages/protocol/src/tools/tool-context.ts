import type { AnswerQuestion, Answers } from '../questions/answer.ts'
import type { ToolCall } from './tool-call.ts'
import type { BlobRef, ToolResult } from './tool-result.ts'

/**
 * Takes bytes before they are interpreted; a host implements it over its store. Called at most once for each stream of a call, beside other
 * calls. The bytes must be read to their end: a tool waits while they are not. A rejection costs the result a warning, never the result.
 */
export type KeepBytes = (
  bytes: AsyncIterable<Uint8Array> | Uint8Array,
  about: { call: string; stream: 'stdout' | 'stderr' | 'mcp' },
) => Promise<BlobRef>

/** How far a call is, in whatever the tool counts. */
export interface Progress {
  /** Grows with each report of a call. */
  progress?: number
  /** Where `progress` will end, as far as it is known. */
  total?: number
  /** One line for a person. From the tool: sanitize it. */
  message?: string
}

interface SharedContext {
  /** Ends the call: a tool settles soon after, and starts nothing more. */
  signal: AbortSignal
  /** Absolute path of the workspace. */
  root: string
  workspaceId?: string
  conversationId?: string
  /** Absent: bytes are dropped after parsing, counted and said. */
  keepBytes?: KeepBytes
  /** Called any number of times before the result, never after it. Must return soon and must not throw. */
  onProgress?: (progress: Progress) => void
}

/** Whom a host can ask: two ports, because routes are per tool and only the executor knows the tool's. */
export interface AskPorts {
  /** A person; asked one thing at a time, also for calls that run side by side. Absent, or `cancel` with `nobody`: there is none. */
  user?: AnswerQuestion
  /** The model of the conversation, for questions that a route gives it; calls that run side by side may ask it at once. */
  assistant?: AnswerQuestion
}

/** What a host gives for one call. */
export interface CallContext extends SharedContext {
  /** Absent: nobody can be asked. */
  ask?: AskPorts
  /** Answers known before the call starts: taken when they are asked for, if they fit. */
  answers?: Answers
  /** With nobody to ask: fail the call (default), or return the result with its questions. */
  unanswered?: 'fail' | 'return'
}

/** What a tool gets for one call. */
export interface ToolContext extends SharedContext {
  /** One port: already routed, checked and recorded. A tool puts one question after the other. It never rejects for an answer. */
  ask?: AnswerQuestion
  /** What was answered so far, by question id. */
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
