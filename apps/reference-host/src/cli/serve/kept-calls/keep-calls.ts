import {
  type CallContext,
  createFailure,
  type ToolCall,
  type ToolDefinition,
  type ToolResult,
} from '@toolblocks/protocol'
import { RequestEnded, type ServeCall, type ServedClient } from '@toolblocks/mcp-bridge/server'
import { setTimeout as pause } from 'node:timers/promises'
import { AWAIT_DEFINITION } from '@toolblocks/tool-executor/internal'
import { hashJson } from '../../../workspace/files/hash-json.ts'
import { SERVICE_ENDED } from './ask-people.ts'
import type { WaitLimits } from './wait-limits.ts'
import { awaitCalls } from './await-calls.ts'
import {
  describeInterrupted,
  describeKept,
  describeLate,
  describeMoved,
} from './describe-kept-call.ts'
import { type KeptCall, type KeptCalls, nameTool } from './kept-call.ts'
import type { ParkedCalls, ContinuedCall } from './parked-calls.ts'

/** How the calls of one client continue without the requests that made them. */
export interface KeepOptions {
  calls: KeptCalls
  getLimits: (client: ServedClient) => WaitLimits
  /** Names what is served: the same call of another service is another call. */
  scope: string
  findDefinition: (tool: string) => ToolDefinition | undefined
  /** Records a request that another call answers, and its result. */
  recordAnswered: (
    call: ToolCall,
    context: CallContext,
    answer: () => Promise<ToolResult>,
  ) => Promise<ToolResult>
  /** Connects a call with the people who are asked about it, before it begins. `resumed`: it has waited for them before. */
  connect: (
    kept: KeptCall,
    request: ServedRequest,
    resumed: ContinuedCall | undefined,
  ) => CallContext
  /** The folder in which a person answers questions. Absent: any. */
  folder?: string
  /** Returns the address of the page on which a question is answered. Absent: there are no such pages. */
  getQuestionAddress?: (id: string) => string
  /** The calls that wait in the store. Absent: nothing is stored. */
  parked?: ParkedCalls
  /** Which other tool is called `await`: that of the executor for handles of stateful tools, one of a server or a program, or none. */
  awaits: () => 'handles' | 'other' | 'none'
  /** Finds a tool that is offered, also one that is not listed. */
  findTool: (name: string) => Pick<ToolDefinition, 'annotations'> | undefined
  /** Identifies the present definition of a tool. */
  getDefinition: (tool: string) => string | undefined
}

/** Calls that may continue without their requests. */
export interface KeptService {
  callTool: ServeCall
  /** Whether a call runs or waits. */
  isBusy(): boolean
  /** Ends the calls. Their questions stay open, and what is known of them is stored for a later host. */
  end(): Promise<void>
}

/** Milliseconds between two reports to a client that waits for a person. Hosts end calls of which they hear nothing. */
const REPORT_MS = 10_000
/** Calls of one client that run without a request. */
const MAX_RUNNING = 100
const TOO_MANY = `${MAX_RUNNING} calls of this client run or wait without a request already, so this one was cancelled. It may have been executed in part. Wait for the others first.`

/**
 * Wraps calls so that they may outlive their requests: after the limit, or when the client has stopped to wait, the call continues. The same call, or `await` with
 * its id, gets the result, once. A call that waits for a person waits in the store, and a later host continues it.
 */
export function keepCalls(callTool: ServeCall, options: KeepOptions): KeptService {
  const { calls, getLimits, scope, findDefinition, parked } = options
  /** The calls that are executed here. Those of the client may be executed by several services. */
  const own = new Set<KeptCall>()

  function begin(
    call: ToolCall,
    { context, client }: ServedRequest,
    key: string,
    resumed?: ContinuedCall,
  ): KeptCall {
    const ending = new AbortController()
    const { readOnlyHint, idempotentHint } = options.findTool(nameTool(call))?.annotations ?? {}
    const kept: KeptCall = {
      call,
      key,
      startedAt: new Date(),
      ending,
      isHarmless: readOnlyHint === true || idempotentHint === true,
      result: Promise.resolve(createFailure('')),
      isParked: false,
      saveRunning: async () => await parked?.save(kept, 'running'),
      forget: async () => {
        calls.remove(kept)
        if (!kept.isParked) await parked?.forget(call.id).catch(() => undefined)
      },
    }
    for (const old of calls.listForgotten()) void old.forget()
    calls.add(kept)
    own.add(kept)
    const connected = options.connect(kept, { context, client }, resumed)
    const result = callTool(
      call,
      {
        ...connected,
        signal: ending.signal,
        ...(context.onProgress && {
          onProgress: (progress) => {
            kept.progress = progress
            kept.request?.onProgress?.(progress)
          },
        }),
      },
      client,
    )
    kept.result = result.finally(() => {
      kept.endedAt = new Date()
      own.delete(kept)
    })
    kept.result.catch(() => undefined)
    return kept
  }

  /** Answers a request with the result of a call, or with what is known of it when the request does not wait any longer. */
  async function follow(kept: KeptCall, { context, client }: ServedRequest): Promise<ToolResult> {
    const { signal, onProgress } = context
    const request = onProgress ? { onProgress } : {}
    kept.request = request
    const clock = startClock(kept, { limits: getLimits(client), client, ...request })
    const left = Promise.withResolvers<'left'>()
    const leave = (): void => {
      // At once: the next message of the client may be the same call.
      if (continues(kept, signal.reason)) delete kept.request
      left.resolve('left')
    }
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    let isOver = true
    try {
      const came = await Promise.race([kept.result, clock.late, left.promise])
      const hasLeft = signal.aborted && kept.request !== request
      isOver = came !== 'late' && !hasLeft
      if (came === 'left' && !hasLeft) {
        kept.ending.abort(signal.reason)
        return await kept.result
      }
      if (came !== 'late' && came !== 'left') return came
      if (came === 'late' && isFull(kept)) {
        isOver = true
        kept.ending.abort()
        return createFailure(TOO_MANY, 'cancelled')
      }
      delete kept.request
      // What waits for a person was written before. A store that does not answer delays nobody.
      if (!kept.question)
        await Promise.race([kept.saveRunning().catch(() => undefined), pause(SAVE_MS)])
      const definition = findDefinition(kept.call.name)
      const isPromised = definition?.outputSchema !== undefined
      const canAwait =
        options.awaits() !== 'other' && findDefinition(AWAIT_DEFINITION.name) !== undefined
      return describeKept(kept, {
        canAwait,
        isPromised,
        folder: options.folder,
        getQuestionAddress: options.getQuestionAddress,
        now: new Date(),
      })
    } finally {
      signal.removeEventListener('abort', leave)
      clock.stop()
      if (kept.request === request) delete kept.request
      if (isOver) await kept.forget()
    }
  }

  /** Whether a call continues although its request has ended. Its result would be lost, and a second execution may do harm. */
  function continues(kept: KeptCall, reason: unknown): boolean {
    if (!(reason instanceof RequestEnded) || reason.kind === 'cancelled') return false
    if (kept.ending.signal.aborted) return false
    return (!kept.isHarmless || kept.question !== undefined) && !isFull(kept)
  }

  /** Calls that wait for people take no room from those that run. */
  function isFull({ question }: KeptCall): boolean {
    const left = calls.all().filter((each) => !each.request && !each.endedAt)
    const alike = left.filter((each) => Boolean(each.question) === Boolean(question))
    return alike.length >= MAX_RUNNING
  }

  async function end(): Promise<void> {
    await calls.waitForTaken([...own])
    const left = [...own].filter(({ request, question }) => !request && !question)
    const doHarm = left.filter(({ isHarmless }) => !isHarmless)
    await parked?.end(doHarm).catch(() => undefined)
    await settle(left, LAST_MS)
    for (const { ending } of own) ending.abort(SERVICE_ENDED)
    await settle([...own], LAST_MS)
  }

  return {
    isBusy: () => own.size > 0,
    end,
    callTool: async (call, context, client) => {
      const request = { context, client }
      const caller = [client.identity, client.info?.['name'] ?? null]
      const key = hashJson([...caller, scope, call.name, call.arguments])
      if (call.name === AWAIT_DEFINITION.name && options.awaits() !== 'other') {
        const { runningMs: limitMs } = getLimits(client)
        const hasHandles = options.awaits() === 'handles'
        const awaiting = awaitCalls(call, context, { calls, limitMs, hasHandles })
        if (awaiting.names > 0 || !hasHandles)
          return await options.recordAnswered(call, context, awaiting.answer)
      }
      const left = calls.findLeft(key)
      if (left) {
        // At once: the next message of the client may be the same call.
        left.request = {}
        return await options.recordAnswered(call, context, async () => {
          const result = await follow(left, request)
          if (left.isParked) return describeMoved(nameTool(call))
          return left.endedAt ? describeLate(result, left.startedAt) : result
        })
      }
      const definition = options.getDefinition(nameTool(call))
      // While the store fails, nothing is known of earlier calls, and calls still run.
      const claimed = parked && (await parked.claim(key, definition).catch(() => undefined))
      switch (claimed?.kind) {
        case 'ended':
        case 'interrupted':
          try {
            return await options.recordAnswered(call, context, async () =>
              claimed.kind === 'ended'
                ? describeLate(claimed.result, claimed.startedAt)
                : describeInterrupted(nameTool(call), claimed.startedAt),
            )
          } finally {
            await parked?.forget(claimed.id).catch(() => undefined)
          }
        case 'resumed':
          return await follow(begin({ ...call, id: claimed.id }, request, key, claimed), request)
        case undefined:
          return await follow(begin(call, request, key), request)
      }
    },
  }
}

/** Milliseconds in which calls can end by themselves when their service ends, and then in which they can still answer. */
const LAST_MS = 2000

async function settle(kept: readonly KeptCall[], mostMs: number): Promise<void> {
  if (kept.length === 0) return
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, mostMs)
  await Promise.race([Promise.allSettled(kept.map(async ({ result }) => await result)), late])
  clearTimeout(timer)
}

/** Milliseconds that an answer waits for the store. */
const SAVE_MS = 500

/** The request of a client for a call. */
interface ServedRequest {
  context: CallContext
  client: ServedClient
}

/** Ends the wait of a request at the limit of its client. A client that can follow tasks continues that way. */
function startClock(
  kept: KeptCall,
  {
    limits: { runningMs, waitingMs },
    client,
    onProgress,
  }: { limits: WaitLimits; client: ServedClient } & Pick<CallContext, 'onProgress'>,
): { late: Promise<'late'>; stop: () => void } {
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const begun = performance.now()
  let timer: NodeJS.Timeout | undefined
  let reports: NodeJS.Timeout | undefined
  const isLate = (): void => {
    if (client.continueAsTask) client.continueAsTask()
    else resolve('late')
  }
  const report = (): void => {
    const { question } = kept
    if (question) onProgress?.({ message: `waits for a person: question ${question.id}` })
  }
  const start = (): void => {
    stop()
    const ms = kept.question ? waitingMs : runningMs
    if (ms !== Infinity) timer = setTimeout(isLate, Math.max(0, begun + ms - performance.now()))
    if (!kept.question) return
    report()
    reports = setInterval(report, REPORT_MS)
  }
  function stop(): void {
    clearTimeout(timer)
    clearInterval(reports)
  }
  kept.onChange = start
  start()
  return {
    late,
    stop: () => {
      stop()
      delete kept.onChange
    },
  }
}
