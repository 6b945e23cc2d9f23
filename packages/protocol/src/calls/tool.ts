import type { JsonValue } from '../json/json.ts'
import type { AnswerQuestion, Answers } from '../questions/answer.ts'
import type { ToolCall } from '../tools/tool-call.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import type { BlobRef, ToolResult } from '../tools/tool-result.ts'

/** What a stateful tool can be asked to do. */
export const LIVE_ACTIONS = ['spawn', 'fetch', 'apply', 'abort'] as const

/** One of them. */
export type LiveAction = (typeof LIVE_ACTIONS)[number]

/** Something that can be called, wherever it runs. */
export interface Tool extends ToolDefinition {
  /**
   * Runs the call once; calls may run side by side. Never rejects for anything the tool did: a failure is a result with `isError`. Called again with
   * more `answers` when the result asked questions.
   */
  execute(call: ToolCall, context: ToolContext): Promise<ToolResult>
  /** Shows the call to a person before it runs, and does nothing else; an error result keeps the call from running. */
  formatArguments?(call: ToolCall, context: ToolContext): Promise<ToolResult>
  /** Starts a call that stays alive; its presence makes the tool stateful. A rejection means that nothing lives. */
  spawn?(call: ToolCall, context: ToolContext): Promise<LiveCall>
  /** What a stateful tool can do; absent means all four. */
  actions?: readonly LiveAction[]
}

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

/** What all kinds of calls are given. */
interface BaseContext {
  /** Ends the call: a tool settles soon after, and starts nothing more. */
  signal: AbortSignal
  /** Absolute path of the workspace. */
  root: string
  /** The host's name of the workspace, for the tool to tell workspaces apart. Absent: it is not told. */
  workspaceId?: string
  /** The host's name of the conversation. Absent: it is not told. */
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
export interface CallContext extends BaseContext {
  /** Absent: nobody can be asked. */
  ask?: AskPorts
  /** Answers known before the call starts: taken when they are asked for, if they fit. */
  answers?: Answers
  /** With nobody to ask: fail the call (default), or return the result with its questions. */
  unanswered?: 'fail' | 'return'
}

/** What a tool gets for one call. */
export interface ToolContext extends BaseContext {
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
export type ExecuteCall = (call: ToolCall, context: CallContext) => Promise<ToolResult>

/** What a live tool is given: free input while it runs, or answers to what it asked. */
export type LiveInput = { input: JsonValue } | { answers: Answers }

/**
 * A call that stays alive, whatever keeps it: a process, a pseudo-terminal, a task. Where it stands is in
 * `_meta["computer.jp/status"]` of each result (`running`, `waiting`, `stopped`; absent: stopped). Whoever holds it calls `fetch` and
 * `apply` one after the other, never side by side; `abort` at any moment, beside them too. No member rejects for anything the tool did: that is
 * a result with `isError`. A rejection is a failure of the one call, and the holder goes on.
 */
export interface LiveCall {
  /** What the tool said when it had started. */
  readonly started: ToolResult
  /**
   * What is new since the last result; without news, an empty result with the status, at once or after a short wait. After the end: a
   * result of status `stopped`. `signal` ends the waiting, not the tool.
   */
  fetch(waiting: { signal: AbortSignal }): Promise<ToolResult>
  /** Gives input or answers, and what came of them. After the end: an error result of status `stopped`. */
  apply(input: LiveInput, waiting: { signal: AbortSignal }): Promise<ToolResult>
  /**
   * Ends the tool, with all it has started, and gives its last words. What waits in `fetch` or `apply` settles. Aborting again, or after the end,
   * does no harm.
   */
  abort(): Promise<ToolResult>
}
