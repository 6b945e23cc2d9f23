import { setTimeout as pause } from 'node:timers/promises'
import {
  createFailure,
  isJsonObject,
  type JsonObject,
  MAX_INQUIRY_ROUNDS,
  nameInWords,
  type ToolCall,
  type ToolContext,
  type ToolDefinition,
  type ToolResult,
} from '@toolblocks/protocol'
import type { ParsedServerResult } from '@toolblocks/parser'
import type { Connection, Reply } from '../connection/connection.ts'
import { signalOf } from '../connection/ending.ts'
import type { KeptConnection } from '../connection/keep-connection.ts'
import { answerInputRequired, type Retry } from '../elicitation/answer-input-required.ts'
import type { AskingServer } from '../elicitation/answer-requests.ts'
import { URL_ELICITATION_REQUIRED } from '../connection/error-codes.ts'
import { visitFirst } from '../elicitation/visit-first.ts'
import { fromCallToolResult } from '../results/from-call-tool-result.ts'
import { hasLinks } from '../links/linked-uris.ts'
import { completeResult, isAsSaid } from './complete-result.ts'
import { type CallName, describeFailure, failure } from './describe-failure.ts'
import { followTask } from './follow-task.ts'
import type { RunningCall } from './running-calls.ts'
import { sendSafely } from './send-safely.ts'

/** A server as its tools see it. */
export interface CallableServer extends AskingServer {
  kept: KeptConnection
  timeoutMs: number
  trusted: boolean
  /** Gets a result that links to something. */
  onLinks: (result: ToolResult, running: RunningCall) => Promise<ToolResult>
}

/** How often pages are visited before the call is made again. */
const MAX_VISITS = 3
/** How long to wait where a server wants the call again and asks nothing. */
const STATE_ONLY_MS = 250

/** One use of a tool. */
export interface CallUse {
  call: ToolCall
  context: ToolContext
  /** Default: the server's. */
  timeoutMs?: number
  /** Nobody waits for it: it is a task where it can be one. Default: false. */
  isLive?: boolean
}

/** Calls a tool of a server from start to end; whatever fails is a result. `definition` is the server's. */
export async function callTool(
  definition: ToolDefinition,
  server: CallableServer,
  { call, context, timeoutMs = server.timeoutMs, isLive = false }: CallUse,
): Promise<ToolResult> {
  const running = server.calls.begin(call, context, { timeoutMs, isLive })
  try {
    const result = await runRounds(definition, server, running)
    const warned = running.warnings
    if (warned.length === 0) return result
    const warnings = [...warned, ...(result.metadata?.warnings ?? [])]
    return { ...result, metadata: { ...result.metadata, warnings } }
  } finally {
    server.calls.end(running)
  }
}

async function runRounds(
  definition: ToolDefinition,
  server: CallableServer,
  running: RunningCall,
): Promise<ToolResult> {
  const name: CallName = { server: server.server, tool: definition.name }
  let retry: Retry = {}
  let visits = 0
  for (let round = 0; round < MAX_INQUIRY_ROUNDS; round++) {
    const reply = await askServer(definition, server, { running, retry })
    if (reply.kind === 'error' && reply.code === URL_ELICITATION_REQUIRED && visits < MAX_VISITS) {
      visits += 1
      const visited = await visitFirst(reply.data, running, server)
      if (visited === 'visited') continue
      if (visited !== 'not-understood') return notVisited(name, visited)
    }
    if (reply.kind !== 'result')
      return describeFailure(name, reply, {
        isOver: running.deadline.isOver,
        timeoutMs: running.timeoutMs,
      })
    const { parsed, raw } = reply
    switch (parsed.kind) {
      case 'complete': {
        const { outputSchema: schema } = definition
        const result = isAsSaid({ parsed, schema })
          ? parsed.result
          : await completeResult({ parsed, raw, schema }, running)
        return hasLinks(result) ? await server.onLinks(result, running) : result
      }
      case 'input_required':
        retry = await answerInputRequired(parsed.document, running, server)
        if (retry.inputResponses === undefined)
          await pause(STATE_ONLY_MS, undefined, { signal: signalOf(running.deadline) }).catch(
            () => undefined,
          )
        continue
      case 'task':
      case 'unknown':
        return notUnderstood(name, parsed)
    }
  }
  return failure(
    `The call of ${nameInWords(name.tool)} on the MCP server ${nameInWords(name.server)} was given up: after ${MAX_INQUIRY_ROUNDS} rounds of questions it asks more.`,
    'failed',
    { maybeExecuted: true, transient: false },
  )
}

/** A reply, and what a result says; a task is followed to its end. */
type Answered =
  | Exclude<Reply, { kind: 'result' }>
  | { kind: 'result'; raw: unknown; parsed: ParsedServerResult }

async function askServer(
  definition: ToolDefinition,
  server: CallableServer,
  { running, retry }: { running: RunningCall; retry: Retry },
): Promise<Answered> {
  const ending = running.deadline
  let used: Connection | undefined
  const reply = await sendSafely(server, {
    definition,
    ending,
    send: (connection) => {
      used = connection
      const params = paramsOf(definition, { connection, server }, { running, retry })
      return connection.call(params, definition, ending)
    },
  })
  const answered = read(reply)
  if (answered.kind !== 'result' || answered.parsed.kind !== 'task' || !used) return answered
  const connection = used
  const followed = await followTask(answered.parsed.document, running, {
    asking: server,
    send: async (method, params, signal) => await connection.request(method, params, signal),
  })
  return read(followed)
}

function read(reply: Reply): Answered {
  if (reply.kind !== 'result') return reply
  return { kind: 'result', raw: reply.result, parsed: fromCallToolResult(reply.result) }
}

function paramsOf(
  definition: ToolDefinition,
  { connection, server }: { connection: Connection; server: CallableServer },
  { running, retry }: { running: RunningCall; retry: Retry },
): JsonObject {
  return {
    name: definition.name,
    arguments: running.call.arguments,
    ...retry,
    ...(isTask(definition, connection.capabilities, running) && { task: {} }),
    ...(isHeard(running, server) && { _meta: { progressToken: server.calls.tokenOf(running) } }),
  }
}

/** Whether anybody wants what the server says before its answer: progress, or questions, which are known by the token too. */
function isHeard({ context, isLive }: RunningCall, { hooks }: CallableServer): boolean {
  return (
    isLive ||
    context.onProgress !== undefined ||
    hooks.canAsk === true ||
    hooks.createMessage !== undefined ||
    hooks.listRoots !== undefined
  )
}

/** MCP 2025-11-25: what must be called as a task, and what may be and is not waited for. */
function isTask(
  definition: ToolDefinition,
  { tasks }: JsonObject,
  { isLive }: RunningCall,
): boolean {
  const execution = 'execution' in definition ? definition.execution : undefined
  if (!isJsonObject(execution) || !isJsonObject(tasks)) return false
  const { taskSupport } = execution
  return taskSupport === 'required' || (isLive && taskSupport === 'optional')
}

function notVisited({ server, tool }: CallName, answer: 'decline' | 'cancel'): ToolResult {
  const why = answer === 'decline' ? 'declined' : 'not answered'
  return createFailure(
    `The MCP server ${nameInWords(server)} wants a person to visit a page before it does ${nameInWords(tool)}; that was ${why}. It was not executed.`,
    answer === 'decline' ? 'denied' : 'unanswered',
  )
}

function notUnderstood(
  { server, tool }: CallName,
  parsed: Exclude<ParsedServerResult, { kind: 'complete' }>,
): ToolResult {
  const what =
    parsed.kind === 'unknown'
      ? `a result of the unknown type ${nameInWords(parsed.resultType)}`
      : 'a task within a task'
  return failure(
    `The call of ${nameInWords(tool)} on the MCP server ${nameInWords(server)} has no result: it answered with ${what}.`,
    'failed',
    {
      maybeExecuted: true,
      transient: false,
    },
  )
}
