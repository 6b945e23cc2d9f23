import {
  booleanQuestion,
  field,
  isJsonObject,
  MAX_INQUIRY_ROUNDS,
  type JsonObject,
} from '@toolblocks/protocol'
import type { RunningCall, RunningCalls } from '../calls/running-calls.ts'
import { RpcError, type ServerRequest } from '../connection/connection.ts'
import { signalOf } from '../connection/ending.ts'
import type { AnswerServer, ServerHooks } from '../mcp-server.ts'
import { answerElicitation, type ElicitResult } from './answer-elicitation.ts'
import { readElicitation } from './read-elicitation.ts'
import { INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND } from '../connection/error-codes.ts'

/** Who asks, and during which calls. */
export interface AskingServer {
  server: string
  calls: RunningCalls
  hooks: ServerHooks
}

const RELATED_TASK = 'io.modelcontextprotocol/related-task'

/** Answers what a server asks of its client. Rejects with an `RpcError` for what was not declared. */
export async function answerRequest(
  request: ServerRequest,
  asking: AskingServer,
): Promise<JsonObject> {
  const { listRoots, createMessage, canAsk = false } = asking.hooks
  switch (request.method) {
    case 'elicitation/create':
      if (!canAsk) break
      return await elicit(request, asking)
    case 'roots/list':
      return await answerByHook(listRoots, request)
    case 'sampling/createMessage':
      return await answerByHook(createMessage, request)
  }
  throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${request.method}`)
}

async function answerByHook(
  hook: AnswerServer | undefined,
  request: ServerRequest,
): Promise<JsonObject> {
  if (!hook) throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${request.method}`)
  try {
    return await hook(request.params, request.signal)
  } catch {
    // What the host says of its insides is not for the server.
    throw new RpcError(INTERNAL_ERROR, 'The host could not answer.')
  }
}

async function elicit(
  request: ServerRequest,
  { server, calls }: AskingServer,
): Promise<JsonObject> {
  const elicitation = readElicitation(request.params)
  if (!elicitation)
    throw new RpcError(
      INVALID_PARAMS,
      'Expected "form" with a "requestedSchema", or "url" with a "url".',
    )
  const owner = ownerOf(request, calls)
  if (!owner || request.signal.aborted) return { action: 'cancel' }
  const { running, isCertain } = owner
  const result = await duringPause(
    running,
    calls,
    async () =>
      await answerElicitation(elicitation, {
        server,
        id: questionId(running),
        ...(isCertain && { call: running.call }),
        context: running.context,
        signal: AbortSignal.any([request.signal, signalOf(running.deadline)]),
        warn: (problem) => void running.warnings.push(problem),
      }),
  )
  return { ...result }
}

/** The call that a request belongs to: by its stream or task, or as the only one. Else the first, and nothing is certain. */
function ownerOf(
  { token, params }: ServerRequest,
  calls: RunningCalls,
): { running: RunningCall; isCertain: boolean } | undefined {
  const meta = params['_meta']
  const related = isJsonObject(meta) ? field(meta, RELATED_TASK) : undefined
  const task = isJsonObject(related) ? related['taskId'] : undefined
  const known = calls.byToken(token) ?? (typeof task === 'string' ? calls.byTask(task) : undefined)
  if (known) return { running: known, isCertain: true }
  const all = calls.all()
  const asked = all.find(({ context }) => context.ask) ?? all[0]
  return asked && { running: asked, isCertain: all.length === 1 }
}

/** Asks while no call of the server loses time; after too many questions of one call nobody is bothered any more. */
export async function duringPause(
  running: RunningCall,
  calls: RunningCalls,
  ask: () => Promise<ElicitResult>,
): Promise<ElicitResult> {
  running.asked += 1
  if (running.asked > MAX_INQUIRY_ROUNDS) return { action: 'cancel' }
  const resume = calls.pause()
  try {
    return await ask()
  } finally {
    resume()
  }
}

/** The id of the next question of a call: `elicitation`, `elicitation-2` and so on; routes may name it. */
export function questionId({ asked }: RunningCall): string {
  return asked < 2 ? 'elicitation' : `elicitation-${asked}`
}

/** Asks whether the person is done with a page. */
export async function confirmVisit(running: RunningCall, server: string): Promise<boolean> {
  const { context, deadline, call } = running
  const request = booleanQuestion({
    id: `${questionId(running)}.done`,
    text: 'Are you done there? The call is made again.',
    default: true,
  })
  const source = { kind: 'elicitation', server, call } as const
  const answer = await context.ask?.(request, { blocks: [], source, signal: signalOf(deadline) })
  return answer?.action === 'accept' && answer.value === true
}
