import { booleanQuestion, type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'
import {
  answerByHook,
  answerElicitation,
  type AskingServer,
  questionId,
  readElicitation,
} from './answer-server.ts'
import type { Connection } from './keep-connection.ts'
import type { RunningCall, RunningCalls } from './running-calls.ts'
import { INVALID_PARAMS, METHOD_NOT_FOUND, RpcError } from '../wire/message.ts'
import type { PeerRequest } from '../wire/peer.ts'
import { RELATED_TASK } from '../wire/request-meta.ts'

/** Answers a request of a server to its client. Rejects with an `RpcError` if the capability was not declared. */
export async function answerRequest(
  request: PeerRequest,
  asking: AskingServer,
): Promise<JsonObject> {
  const { method } = request
  if (asking.hooks.isShared === true && method !== 'ping')
    throw new RpcError(
      METHOD_NOT_FOUND,
      `${method} is not answered: several clients share this connection, and the request does not say which of them it is for.`,
    )
  switch (method) {
    case 'ping':
      return {}
    case 'elicitation/create':
      if (asking.hooks.canAsk !== true) break
      return await elicit(request, asking)
    default:
      return await answerByHook(
        method,
        { ...request, call: findOwner(request, asking.calls)?.call },
        asking,
      )
  }
  throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${method}`)
}

async function elicit(request: PeerRequest, asking: AskingServer): Promise<JsonObject> {
  const elicitation = readElicitation(request.params)
  if (!elicitation)
    throw new RpcError(
      INVALID_PARAMS,
      'Expected "form" with a "requestedSchema", or "url" with a "url".',
    )
  const candidates = listOwners(request, asking.calls)
  const isOfAnyCall = candidates.length > 1
  for (;;) {
    const open = candidates.filter(isRunning(asking.calls))
    const able = open.filter(({ context }) => context.ask)
    // The one with the fewest questions: each call may ask a number of them.
    const [running] = (able.length > 0 ? able : open).toSorted((one, two) => one.asked - two.asked)
    if (!running || request.signal.aborted) return { action: 'cancel' }
    const { deadline } = running
    const signal = AbortSignal.any([request.signal, deadline.signal])
    const answer = await answerElicitation(elicitation, running, asking, { signal, isOfAnyCall })
    // If the call through which it was asked was cancelled, another call may be the one that asks.
    if (answer.action !== 'cancel' || !deadline.signal.aborted) return { ...answer }
  }
}

function isRunning(calls: RunningCalls): (running: RunningCall) => boolean {
  return (running) => calls.byToken(running.token) === running && !running.deadline.signal.aborted
}

/** Finds the call of a request by its stream or task. */
function findOwner({ token, params }: PeerRequest, calls: RunningCalls): RunningCall | undefined {
  const meta = params['_meta']
  const related = isJsonObject(meta) ? getOwnField(meta, RELATED_TASK) : undefined
  const task = isJsonObject(related) ? related['taskId'] : undefined
  return calls.byToken(token) ?? (typeof task === 'string' ? calls.byTask(task) : undefined)
}

/** Returns the calls that a request may belong to. If it names none, each running call will do: all are of the same client. */
function listOwners(request: PeerRequest, calls: RunningCalls): readonly RunningCall[] {
  const known = findOwner(request, calls)
  return known ? [known] : calls.all()
}

/** The error of a server of MCP 2025-11-25 that requires pages to be visited before it runs the call. */
const URL_ELICITATION_REQUIRED = -32_042

/** Asks the person to visit the pages that an error names, and waits until they confirm it: a server need not report it. */
export function visitPages(asking: AskingServer): NonNullable<Connection['settleError']> {
  return async ({ code, data }, running) => {
    const listed = isJsonObject(data) ? data['elicitations'] : undefined
    const pages = (Array.isArray(listed) ? listed : []).map((page) =>
      readElicitation(isJsonObject(page) ? { mode: 'url', ...page } : page),
    )
    if (code !== URL_ELICITATION_REQUIRED || pages.length === 0) return 'not-understood'
    for (const page of pages) {
      if (page?.mode !== 'url') return 'not-understood'
      const { signal } = running.deadline
      const { action } = await answerElicitation(page, running, asking, { signal })
      if (action !== 'accept') return action
      if (!(await confirmVisit(running, asking))) return 'decline'
    }
    return 'settled'
  }
}

/** Asks whether the person has finished with a page. */
async function confirmVisit(
  running: RunningCall,
  { server, calls }: AskingServer,
): Promise<boolean> {
  const { context, deadline, call } = running
  const request = booleanQuestion({
    id: `${questionId(running)}.done`,
    text: 'Have you finished there? The call is made again.',
    default: true,
  })
  const source = { kind: 'elicitation', server, call } as const
  const resume = calls.pause()
  try {
    const answer = await context.ask?.(request, { blocks: [], source, signal: deadline.signal })
    return answer?.action === 'accept' && answer.value === true
  } finally {
    resume()
  }
}
