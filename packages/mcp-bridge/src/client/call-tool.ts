import { setTimeout as pause } from 'node:timers/promises'
import type { ParsedMcpResult } from '@toolblocks/parser'
import {
  createFailure,
  type JsonObject,
  type JsonSchema,
  type Problem,
  type ToolCall,
  type ToolContext,
  type ToolDefinition,
  type ToolResult,
  isJsonObject,
} from '@toolblocks/protocol'
import {
  MAX_INQUIRY_ROUNDS,
  META_CLIENT,
  withWarnings,
  quoteName,
  getErrorText,
} from '@toolblocks/protocol/internal'
import { fitOutputSchema } from './fit-output-schema.ts'
import { fromCallToolResult } from './from-call-tool-result.ts'
import type { Loss, Reply } from '../wire/peer.ts'
import { answerInputRequired, type AskingServer, type Retry } from './answer-server.ts'
import { type BridgeProblem, type CallName, describeFailure, failure } from './failures.ts'
import type { Connection, KeptConnection } from './keep-connection.ts'
import { followTask } from './follow-task.ts'
import type { RunningCall } from './running-calls.ts'

/** A server as its tools use it. */
export interface CallableServer extends AskingServer {
  kept: KeptConnection
  timeoutMs: number
  /** Whether the timeout was configured. Default: false. */
  isTimeoutSet?: boolean
  trusted: boolean
  /** Receives a result that contains links. */
  onLinks: (result: ToolResult, running: RunningCall) => Promise<ToolResult>
}

/** How many times pages are visited before the call fails. */
const MAX_VISITS = 3
/** Milliseconds to wait if a server wants the call again without a question. */
const STATE_ONLY_MS = 250

/** One use of a tool. */
export interface CallUse {
  call: ToolCall
  context: ToolContext
  /** Default: that of the server. */
  timeoutMs?: number
  /** Whether no caller waits for it; then it becomes a task if that is possible. Default: false. */
  isLive?: boolean
}

/** Calls a tool of a server from start to end. Every failure is a result. `definition` is the server's. */
export async function callTool(
  definition: ToolDefinition,
  server: CallableServer,
  { call, context, timeoutMs, isLive = false }: CallUse,
): Promise<ToolResult> {
  const running = server.calls.begin(call, context, {
    timeoutMs: timeoutMs ?? server.timeoutMs,
    isTimeoutSet: timeoutMs !== undefined || server.isTimeoutSet === true,
    isLive,
  })
  try {
    const result = await runRounds(definition, server, running)
    return withWarnings(result, { before: running.warnings })
  } finally {
    server.calls.end(running)
  }
}

/** Repeats the call while the server asks questions, each time with the answers. */
async function runRounds(
  definition: ToolDefinition,
  server: CallableServer,
  running: RunningCall,
): Promise<ToolResult> {
  const name: CallName = { server: server.server, tool: definition.name }
  let retry: Retry = {}
  let visits = 0
  for (let round = 0; round < MAX_INQUIRY_ROUNDS; round++) {
    const { answered, connection } = await askServer(definition, server, { running, retry })
    if (answered.kind === 'error' && connection?.settleError && visits < MAX_VISITS) {
      const settled = await connection.settleError(answered, running)
      visits += 1
      if (settled === 'settled') continue
      if (settled !== 'not-understood') return notVisited(name, settled)
    }
    if (answered.kind !== 'result') {
      const { deadline, timeoutMs } = running
      return describeFailure(name, answered, { isOver: deadline.isOver, timeoutMs })
    }
    const { parsed, raw } = answered
    switch (parsed.kind) {
      case 'complete': {
        const { outputSchema } = definition
        // Nearly all results need no addition and no wait.
        const isAsSaid = parsed.reversible && outputSchema === undefined
        const result = isAsSaid
          ? parsed.result
          : await completeResult(parsed, { raw, outputSchema, running })
        const hasLinks = result.content.some(({ type }) => type === 'resource_link')
        return hasLinks ? await server.onLinks(result, running) : result
      }
      case 'input_required':
        retry = await answerInputRequired(parsed.document, running, { ...server, isRepeated: true })
        if (retry.inputResponses === undefined)
          await pause(STATE_ONLY_MS, undefined, { signal: running.deadline.signal }).catch(
            () => undefined,
          )
        continue
      case 'task':
      case 'unknown':
        return notUnderstood(name, parsed)
    }
  }
  return failure(
    `The call of ${quoteName(name.tool)} on the MCP server ${quoteName(name.server)} was ended: after ${MAX_INQUIRY_ROUNDS} rounds of questions the server asks again.`,
    'failed',
    { maybeExecuted: true, transient: false },
  )
}

/** A reply, and the result that it contains. */
type Answered =
  | Exclude<Reply, { kind: 'result' }>
  | { kind: 'result'; raw: unknown; parsed: ParsedMcpResult }

/** The end of a call, and the connection that it was sent on, if there was one. */
interface SentCall {
  answered: Answered
  connection: Connection | undefined
}

function read(reply: Reply): Answered {
  if (reply.kind !== 'result') return reply
  return { kind: 'result', raw: reply.result, parsed: fromCallToolResult(reply.result) }
}

/** Sends the call, and once more if that is safe. */
async function askServer(
  definition: ToolDefinition,
  server: CallableServer,
  { running, retry }: { running: RunningCall; retry: Retry },
): Promise<SentCall> {
  const { signal } = running.deadline
  const params: JsonObject = {
    name: definition.name,
    arguments: running.call.arguments,
    ...retry,
    ...getMeta(running, server),
  }
  let sent = await send(definition, server, { running, params })
  if (
    sent.answered.kind === 'loss' &&
    !signal.aborted &&
    mayRepeat(sent.answered.loss, definition, server)
  ) {
    const { maybeExecuted } = sent.answered.loss
    sent = await send(definition, server, { running, params })
    // Regardless of the second attempt: the first may have been executed.
    const { answered, connection } = sent
    if (answered.kind === 'loss' && maybeExecuted)
      return { answered: { kind: 'loss', loss: { ...answered.loss, maybeExecuted } }, connection }
  }
  return sent
}

/** Sends the call on the current connection, or on a new one, and follows its task there. */
async function send(
  definition: ToolDefinition,
  server: CallableServer,
  { running, params }: { running: RunningCall; params: JsonObject },
): Promise<SentCall> {
  let last: { reply: Reply; answered: Answered } | undefined
  const { reply, connection } = await server.kept.send(async (open) => {
    const first = await open.call(params, definition, running)
    const answered = read(first)
    last = { reply: first, answered }
    if (answered.kind !== 'result' || answered.parsed.kind !== 'task') return first
    const { document } = answered.parsed
    const end = await followTask(document, running, { connection: open, asking: server })
    last = { reply: end, answered: read(end) }
    return end
  }, running.deadline.signal)
  return { answered: last?.reply === reply ? last.answered : read(reply), connection }
}

/**
 * Whether a request may be sent twice: it surely was not executed, or a repetition does no harm. A tool's own statement about that counts only if
 * the user trusts its server.
 */
function mayRepeat(
  { kind, maybeExecuted, transient }: Loss,
  { annotations }: ToolDefinition,
  { trusted }: CallableServer,
): boolean {
  if (kind !== 'lost') return false
  const isHarmless =
    annotations?.['readOnlyHint'] === true || annotations?.['idempotentHint'] === true
  return !maybeExecuted || (trusted && isHarmless && transient)
}

/** Returns `_meta` of a call: that of the client that made it, and the token of progress if it is heard. */
function getMeta(running: RunningCall, server: CallableServer): { _meta?: JsonObject } {
  const sentMeta = running.call._meta?.[META_CLIENT]
  const clientMeta = isJsonObject(sentMeta) ? sentMeta : undefined
  const isToken = isHeard(running, server)
  if (!clientMeta && !isToken) return {}
  return { _meta: { ...clientMeta, ...(isToken && { progressToken: running.token }) } }
}

/** Whether messages of the server before its answer are needed: progress, or questions, which are matched by the token too. */
function isHeard({ context, isLive }: RunningCall, { hooks }: CallableServer): boolean {
  return (
    isLive ||
    context.onProgress !== undefined ||
    hooks.canAsk === true ||
    hooks.createMessage !== undefined ||
    hooks.listRoots !== undefined
  )
}

/** Adds to a result a warning if it does not match its tool's schema, and the original if the blocks cannot represent it. */
async function completeResult(
  { result, reversible }: Extract<ParsedMcpResult, { kind: 'complete' }>,
  {
    raw,
    outputSchema,
    running,
  }: { raw: unknown; outputSchema: JsonSchema | undefined; running: RunningCall },
): Promise<ToolResult> {
  const warnings: Problem[] = [
    ...(result.metadata?.warnings ?? []),
    ...checkStructuredContent(result, outputSchema),
  ]
  const kept = reversible ? undefined : await keepRaw(raw, running, warnings)
  if (warnings.length === 0 && !kept) return result
  const added = { ...(warnings.length > 0 && { warnings }), ...(kept && { raw: kept }) }
  return { ...result, metadata: { ...result.metadata, ...added } }
}

/** Compares a result with the schema of its tool. A mismatch is a warning only; an error result is not compared. */
function checkStructuredContent(
  result: ToolResult,
  schema: JsonSchema | undefined,
): readonly BridgeProblem[] {
  if (schema === undefined || result.isError) return []
  if (!('structuredContent' in result))
    return [promise('', '"structuredContent" is missing, though the tool has an "outputSchema".')]
  const fit = fitOutputSchema(result, schema)
  if (fit.kind !== 'unfit') return []
  return fit.problems.map(({ path, message, expected, got }) => ({
    ...promise(
      `${fit.isSchema ? '/outputSchema' : ''}${path}`,
      `"structuredContent" does not match the tool's "outputSchema": ${message}.`,
    ),
    ...(expected !== undefined && { expected }),
    ...(got !== undefined && { got }),
  }))
}

function promise(path: string, message: string): BridgeProblem {
  return { path: `/structuredContent${path}`, message, code: 'output-schema' }
}

async function keepRaw(
  raw: unknown,
  { context: { keepBytes }, call }: RunningCall,
  warnings: Problem[],
): Promise<NonNullable<ToolResult['metadata']>['raw']> {
  try {
    const bytes = Buffer.from(JSON.stringify(raw) ?? '', 'utf8')
    return await keepBytes?.(bytes, { call: call.id, stream: 'mcp' })
  } catch (error) {
    const reason = getErrorText(error)
    const message = `The original result was not stored: ${reason}.`
    const problem: BridgeProblem = { path: '', message, code: 'raw-not-kept' }
    warnings.push(problem)
    return undefined
  }
}

function notVisited({ server, tool }: CallName, answer: 'decline' | 'cancel'): ToolResult {
  const why = answer === 'decline' ? 'declined' : 'not answered'
  return createFailure(
    `The MCP server ${quoteName(server)} requires a person to visit a page before it runs ${quoteName(tool)}; that was ${why}. It was not executed.`,
    answer === 'decline' ? 'denied' : 'unanswered',
  )
}

function notUnderstood(
  { server, tool }: CallName,
  parsed: Exclude<ParsedMcpResult, { kind: 'complete' }>,
): ToolResult {
  const what =
    parsed.kind === 'unknown'
      ? `a result of the unknown type ${quoteName(parsed.resultType)}`
      : 'a task within a task'
  return failure(
    `The call of ${quoteName(tool)} on the MCP server ${quoteName(server)} has no result: it answered with ${what}.`,
    'failed',
    {
      maybeExecuted: true,
      transient: false,
    },
  )
}
