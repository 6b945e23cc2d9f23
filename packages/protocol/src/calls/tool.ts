import type { JsonValue } from '../json/json.ts'
import type { AnsweredQuestion, AnswerQuestion, Answers } from '../questions/answer.ts'
import type { Approval, ToolCall } from '../tools/tool-call.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import type { BlobRef, ToolResult } from '../tools/tool-result.ts'

/** The actions of a stateful tool. */
export const LIVE_ACTIONS = ['spawn', 'fetch', 'apply', 'abort'] as const

/** An action of a stateful tool. */
export type LiveAction = (typeof LIVE_ACTIONS)[number]

/** A tool that can be called, wherever it runs. */
export interface Tool extends ToolDefinition {
  /**
   * Runs the call once. Calls may run in parallel. Never rejects because of the tool: a failure is a result with `isError`. If the result asked
   * questions, it is called again with more `answers`.
   */
  execute(call: ToolCall, context: ToolContext): Promise<ToolResult>
  /** Formats the call for a person before it runs, and has no other effect. An error result prevents the call. */
  formatArguments?(call: ToolCall, context: ToolContext): Promise<ToolResult>
  /** Starts a call that stays alive. A tool with this member is stateful. After a rejection, nothing is running. */
  spawn?(call: ToolCall, context: ToolContext): Promise<LiveCall>
  /** The supported actions of a stateful tool. Absent: all four. */
  actions?: readonly LiveAction[]
}

/**
 * Receives bytes before they are interpreted; a host implements it over its store. Called at most once for each stream of a call, in parallel with
 * other calls. It must read the bytes to their end, because the tool waits. A rejection adds a warning to the result.
 */
export type KeepBytes = (
  bytes: AsyncIterable<Uint8Array> | Uint8Array,
  about: { call: string; stream: 'stdout' | 'stderr' | 'mcp' },
) => Promise<BlobRef>

/** Progress of a call, in units of the tool. */
export interface Progress {
  /** Increases with each report of a call. */
  progress?: number
  /** The final value of `progress`, if known. */
  total?: number
  /** One line for a person. It comes from the tool: sanitize it. */
  message?: string
}

/** The part of the context that all kinds of calls share. */
interface BaseContext {
  /** Ends the call. The tool settles soon after, and starts nothing more. */
  signal: AbortSignal
  /** Absolute path of the workspace. */
  root: string
  /** The host's name of the workspace, so that a tool can distinguish workspaces. Absent: unknown. */
  workspaceId?: string
  /** The host's name of the conversation. Absent: unknown. */
  conversationId?: string
  /** Receives the original bytes. Absent: bytes are dropped after parsing, and counted. */
  keepBytes?: KeepBytes
  /** Receives progress. Called any number of times before the result, never after it. Must return soon and must not throw. */
  onProgress?: (progress: Progress) => void
}

/** The answerers of a host: two ports, because routes are per tool and only the executor knows the tool. */
export interface AskPorts {
  /** A person. Asked one thing at a time, also for parallel calls of one conversation. Absent, or `cancel` with `nobody`: no person is available. */
  user?: AnswerQuestion
  /** The model of the conversation, for questions that a route sends to it. Parallel calls may ask it at the same time. */
  assistant?: AnswerQuestion
}

/** The context that a host gives to one call. */
export interface CallContext extends BaseContext {
  /**
   * The host's name of the person who is asked. The calls of one person ask one thing at a time, also if they belong to several conversations. Default:
   * each conversation has a person of its own. Tools do not receive it.
   */
  personId?: string
  /** Who can answer questions. Absent: no answerer is available. */
  ask?: AskPorts
  /** Answers known in advance. Used when their questions are asked, if they are valid. */
  answers?: Answers
  /**
   * The questions that earlier runs of the same call asked, with their answers: the call was interrupted and is made again. The tool receives accepted
   * answers from the start; another answer ends the call. Default: it is a new call.
   */
  answered?: readonly AnsweredQuestion[]
  /** What happens to a question without an answerer: the call fails (default), or returns the result with its questions. */
  unanswered?: 'fail' | 'return'
  /** The decision about this call, if a person made it before. Only a call that needs approval reads it. Default: the person is asked. */
  approval?: Approval
}

/** The context that a tool receives for one call. */
export interface ToolContext extends BaseContext {
  /** Answers one question at a time: routing, checks and recording are done. Never rejects because of an answer. */
  ask?: AnswerQuestion
  /** Answers until now, by question id. */
  answers: Answers
  /** The tool's own settings from the configuration. */
  options?: Readonly<Record<string, unknown>>
}

/** Returns the tool's part of a host's context: everything shared, and the tool's own members. */
export function toToolContext(
  {
    personId: _person,
    ask: _ports,
    answers: _known,
    answered: _earlier,
    unanswered: _unanswered,
    approval: _decided,
    ...shared
  }: CallContext,
  own: Partial<Pick<ToolContext, 'ask' | 'answers' | 'options'>>,
): ToolContext {
  return { ...shared, answers: {}, ...own }
}

/** Runs one call from start to end. Never rejects because of the tool. */
export type ExecuteCall = (call: ToolCall, context: CallContext) => Promise<ToolResult>

/** Input for a stateful call: free input while it runs, or answers to its questions. */
export type LiveInput = { input: JsonValue } | { answers: Answers }

/**
 * A call that stays alive in a process, a pseudo-terminal or a task. Its state is in `_meta["computer.jp/status"]` of each result (`running`,
 * `waiting`, `stopped`; absent: stopped). The caller uses `fetch` and `apply` one at a time, never in parallel; `abort` at any time. No member
 * rejects because of the tool: that is a result with `isError`. A rejection is a failure of this one action, and the caller may continue.
 */
export interface LiveCall {
  /** The output of the tool after its start. */
  readonly started: ToolResult
  /**
   * Returns the output since the last result; without new output, an empty result with the status, at once or after a short wait. After the end: a
   * result with status `stopped`. `signal` ends the wait, not the tool.
   */
  fetch(waiting: { signal: AbortSignal }): Promise<ToolResult>
  /** Applies input or answers, and returns the response. After the end: an error result with status `stopped`. */
  apply(input: LiveInput, waiting: { signal: AbortSignal }): Promise<ToolResult>
  /**
   * Ends the tool and everything that it started, and returns its last output. Pending `fetch` and `apply` calls settle. It may be called again, or
   * after the end.
   */
  abort(): Promise<ToolResult>
}
