import {
  type AnswerQuestion,
  type CallContext,
  type JsonObject,
  type ToolCall,
  type ToolResult,
  isJsonObject,
} from '@toolblocks/protocol'
import { STATELESS_VERSION } from '../wire/request-headers.ts'
import { getModes, readAnswer, toElicitation } from './elicitation.ts'
import { digest, type SealedAnswer } from './sealed-state.ts'
import type { ServedClient } from './served-features.ts'
import { declaresTasks, supportsTasks } from './served-tasks.ts'
import type { ToolService } from './tool-service.ts'

/** What hears of a running call: the request of a client, or a task. */
interface CallListener {
  context: Pick<CallContext, 'signal' | 'onProgress'>
  notify: ServedClient['notify']
  /** Receives the requests without an answer whenever they change. */
  onOpenRequests?(open: readonly OpenClientRequest[]): void
}

/** The request of a client with which a call begins. */
export interface CallRequest extends CallListener {
  client: Pick<ServedClient, 'capabilities' | 'info' | 'identity'>
  context: Pick<CallContext, 'signal' | 'root' | 'onProgress'>
}

/** A request for the client without an answer. */
export interface OpenClientRequest {
  key: string
  /** The digest of the request. */
  question: string
  method: string
  params: JsonObject
}

/** The end of a round. `task`: the rest of the call is for a client that follows it as a task. */
type RoundEnd =
  | { kind: 'result'; result: ToolResult }
  | { kind: 'asked'; asked: readonly OpenClientRequest[] }
  | { kind: 'task' }

/** A running call. */
export interface CallAttempt {
  /** Settles at the end of the round. */
  next(): Promise<RoundEnd>
  /** Begins the next round: answers open requests, by their keys. Other keys have no effect. */
  answer(responses: JsonObject): void
  /** The result of the call. */
  readonly result: Promise<ToolResult>
  /** All answers that the call has received. */
  used(): readonly SealedAnswer[]
  /** Connects the call with the request of a round, or with a task, until the returned function is called. */
  join(listener: CallListener): () => void
  abort(): void
}

/** Starts a call. Requests with known answers are answered at once. */
export function beginAttempt(
  service: ToolService,
  call: ToolCall,
  first: CallRequest & { answers: readonly SealedAnswer[] },
): CallAttempt {
  const { capabilities } = first.client
  const canFollow = declaresTasks(capabilities)
  let isLong = canFollow && supportsTasks(service, call.name)
  const ending = new AbortController()
  const unused = [...first.answers]
  const used: SealedAnswer[] = []
  const open = new Map<string, OpenClientRequest & { settle: (response?: JsonObject) => void }>()
  /** A key names one request of a call, also after its answer. */
  const keys = new Set<string>()
  // A call may report progress at once.
  let round: CallListener | undefined = first
  let roundEnd = Promise.withResolvers<RoundEnd>()

  function reportOpen(): void {
    round?.onOpenRequests?.([...open.values()].map(toRequest))
  }

  /** Ends the round once everything is asked that the call asks at the same time. */
  function endRound(): void {
    const { resolve } = roundEnd
    setImmediate(() => {
      if (open.size > 0) resolve({ kind: 'asked', asked: [...open.values()].map(toRequest) })
    })
  }

  /** Resolves to the client's response; `undefined`: the call was ended, or does not ask any more. */
  async function askClient(
    { key: wanted, ...request }: OpenClientRequest,
    signal: AbortSignal,
  ): Promise<JsonObject | undefined> {
    const known = unused.findIndex(({ question }) => question === request.question)
    const [answered] = known === -1 ? [] : unused.splice(known, 1)
    if (answered) {
      used.push(answered)
      return answered.response
    }
    if (ending.signal.aborted || signal.aborted) return undefined
    const key = findFreeKey(wanted, keys)
    keys.add(key)
    const { promise, resolve: settle } = Promise.withResolvers<JsonObject | undefined>()
    const leave = (): void => settle(undefined)
    signal.addEventListener('abort', leave)
    open.set(key, { key, ...request, settle })
    endRound()
    reportOpen()
    const response = await promise
    signal.removeEventListener('abort', leave)
    open.delete(key)
    reportOpen()
    if (response) used.push({ question: request.question, response })
    return response
  }

  const user: AnswerQuestion = async (request, context) => {
    const asked = toElicitation(request, context, getModes(capabilities))
    if ('action' in asked) return asked
    const { elicitationId: _new, ...put } = asked.params
    const { params } = asked
    const response = await askClient(
      { key: request.id, question: digest(put), method: 'elicitation/create', params },
      context.signal,
    )
    return response ? readAnswer(response, asked.form) : { action: 'cancel', reason: 'aborted' }
  }

  const client: ServedClient = {
    ...first.client,
    id: call.id,
    protocolVersion: STATELESS_VERSION,
    request: async (method, params, signal) => {
      const question = digest({ method, params })
      const result = await askClient({ key: method, question, method, params }, signal)
      return result ? { kind: 'result', result } : { kind: 'aborted' }
    },
    notify: (method, params) => round?.notify(method, params),
    ...(canFollow && { continueAsTask }),
  }

  function continueAsTask(): void {
    isLong = true
    roundEnd.resolve({ kind: 'task' })
  }

  const { form, url } = getModes(capabilities)
  if (isLong) continueAsTask()
  const running = service
    .callTool(
      call,
      {
        root: first.context.root,
        signal: ending.signal,
        ...((first.context.onProgress || canFollow) && {
          onProgress: (progress) => round?.context.onProgress?.(progress),
        }),
        ...((form || url) && { ask: { user } }),
      },
      client,
    )
    .finally(settleAll)
  endWithCall()

  /** Also a call that has ended between two rounds ends the next one. */
  function endWithCall(): void {
    const { resolve, reject } = roundEnd
    running.then((result) => resolve({ kind: 'result', result }), reject)
  }

  function settleAll(): void {
    for (const { settle } of open.values()) settle(undefined)
  }

  function abort(reason?: unknown): void {
    ending.abort(reason)
    settleAll()
  }

  return {
    next: async () => await roundEnd.promise,
    answer: (responses) => {
      roundEnd = Promise.withResolvers<RoundEnd>()
      endWithCall()
      // Also a call that became long while it waited for this round.
      if (isLong) continueAsTask()
      for (const { key, settle } of open.values()) {
        const response = getResponse(key, responses)
        if (response) settle(response)
      }
      // What was not answered is asked again.
      endRound()
    },
    used: () => [...used],
    result: running,
    join: (joined) => {
      round = joined
      if (open.size > 0) reportOpen()
      const { signal } = joined.context
      const end = (): void => abort(signal.reason)
      if (signal.aborted) end()
      signal.addEventListener('abort', end, { once: true })
      return () => {
        signal.removeEventListener('abort', end)
        round = undefined
      }
    },
    abort,
  }
}

function toRequest({ key, question, method, params }: OpenClientRequest): OpenClientRequest {
  return { key, question, method, params }
}

/** Two questions of a call may have the same id. */
function findFreeKey(key: string, taken: ReadonlySet<string>): string {
  let free = key
  for (let count = 2; taken.has(free); count += 1) free = `${key}-${count}`
  return free
}

/** Returns the client's response to a request, by the key of the request. */
export function getResponse(key: string, responses: JsonObject): JsonObject | undefined {
  const response = Object.hasOwn(responses, key) ? responses[key] : undefined
  return isJsonObject(response) ? response : undefined
}
