import {
  type LiveCall,
  type ProgramExit,
  type Progress,
  type Status,
  type ToolRequest,
  type ToolResult,
  createErrorResult,
  createFailure,
  withStatus,
} from '@toolblocks/protocol'
import {
  createQuotingBlocks,
  limitTime,
  MAX_OUTPUT_BYTES,
  META_RE,
  quoteName,
  settlesWithin,
} from '@toolblocks/protocol/internal'
import { NOT_JSON, serializeRequest } from '../command/tool-request.ts'
import { createHeadAndTail } from '../output/output-buffer.ts'
import { reportLines } from '../output/report-lines.ts'
import { takeProgress } from '../output/take-progress.ts'
import { DRAIN_MS, KILL_MS, untilGone } from '../process/end-processes.ts'
import type { Launched } from '../process/launch-program.ts'
import type { Child } from '../process/start-child.ts'
import { createInbox } from './inbox.ts'
import { createLateResponses } from './late-responses.ts'
import { joinLines, type LiveLine, readLiveLine } from './live-line.ts'
import { hasStopped } from './not-started.ts'
import { splitMessages } from './split-messages.ts'

/** The settings of a live call. */
interface LivePlan {
  readonly name: string
  readonly dialect: 'blocks' | 'outcome'
  /** Timeout of `spawn`, `apply` and `abort`, in milliseconds. */
  readonly timeoutMs: number
  readonly graceMs: number
  /** Creates the request of an action; `seq` is added. */
  readonly request: (action: LiveActionName, input: LiveRequestInput) => ToolRequest
  readonly signal: AbortSignal
  /** Receives the progress from standard error while the tool runs. */
  readonly onProgress?: (progress: Progress) => void
}

/** The actions of a live line. */
type LiveActionName = 'spawn' | 'fetch' | 'apply' | 'abort'

/** The input of `apply`. */
type LiveRequestInput = Pick<NonNullable<ToolRequest['tool']>, 'input' | 'answers'>

/** A tool without news need not answer a fetch; it then counts as running. In milliseconds. */
const FETCH_MS = 1000

/** Text of a tool that numbers no response is its response if no document follows. In milliseconds. */
const TEXT_MS = 1000

const INBOX_BYTES = 1024 * 1024

const NOTHING: ToolResult = { content: [], isError: false }

const STDERR_LIMITS = { head: 16 * 1024, tail: 48 * 1024 }

/** `text`: the tool printed text, then nothing, and no response. */
type Ended = 'timeout' | 'text' | 'aborted' | 'not-json' | { exit: ProgramExit }

/** A request without its response. */
interface OpenLiveRequest {
  readonly action: LiveActionName
  end(answer: LiveLine | Ended): void
  /** Restarts the wait for a response after text. */
  expectSoon(): void
}

/** Speaks the line protocol (docs/protocol.md) with a started program: one JSON line in, one response out. */
export async function startLiveCall(launched: Launched, plan: LivePlan): Promise<LiveCall> {
  const { child } = launched
  const inbox = createInbox(INBOX_BYTES)
  const stderr = createHeadAndTail(STDERR_LIMITS)
  const late = createLateResponses(MAX_OUTPUT_BYTES)
  const waiting = new Map<number, OpenLiveRequest>()
  /** The requests without a response, also those that wait no longer. */
  const unanswered = new Set<number>()
  let seq = 0
  /** Whether the tool has said in a response which request it answers. If not, each document answers the oldest open request. */
  let hasNumbered = false
  let status: Status = 'running'
  let exit: ProgramExit | undefined
  let stopping: Promise<void> | undefined

  const isDocument = (bytes: Uint8Array): boolean =>
    readLiveLine(bytes, plan.dialect).status !== undefined
  const messages = splitMessages(MAX_OUTPUT_BYTES, isDocument, (bytes) => {
    if (bytes.length === 0) return
    const line = readLiveLine(bytes, plan.dialect)
    hasNumbered ||= line.re !== undefined
    const number = findNumber(line)
    // Immediately, because the next line of the same chunk may change the state.
    status = line.status ?? status
    if (number !== undefined) return endRequest(number, line, bytes.length)
    inbox.add(line, bytes.length)
    if (!hasNumbered && line.status === undefined)
      for (const each of waiting.values()) each.expectSoon()
  })
  child.stdout.on('data', messages.write)
  const reporter = plan.onProgress && reportLines(plan.onProgress)
  const reports = takeProgress(
    (progress) => reporter?.tell(progress),
    (chunk) => {
      stderr.write(chunk)
      reporter?.write(chunk)
    },
  )
  child.stderr.on('data', reports.write)
  void readEnd(child).then((ended) => {
    exit = ended
    reports.end()
    reporter?.end()
    for (const request of waiting.values()) request.end({ exit: ended })
  })

  /** Returns the number of the request that a line answers. */
  function findNumber({ re, status: nextStatus }: LiveLine): number | undefined {
    const isNext = !hasNumbered && nextStatus !== undefined
    const [oldest] = isNext ? [...waiting.keys(), ...unanswered] : []
    const number = re ?? oldest
    return number !== undefined && unanswered.has(number) ? number : undefined
  }

  /**
   * Ends the request of a response. A late one is the result of a fetch that waits, or the next one; the last one is that of any request that waits.
   */
  function endRequest(number: number, line: LiveLine, bytes: number): void {
    unanswered.delete(number)
    // What comes after a response belongs to the next result.
    const response = joinLines([inbox.take(), line])
    const isFor = ([each, { action }]: readonly [number, OpenLiveRequest]): boolean =>
      each === number || (!waiting.has(number) && (action === 'fetch' || line.status === 'stopped'))
    const [open, request] = [...waiting].find(isFor) ?? []
    if (open === undefined || !request) return late.add(response, bytes)
    waiting.delete(open)
    request.end(joinLines([...late.takeAll(), response]))
  }

  function holdRest(): void {
    const rest = messages.rest()
    if (rest.length > 0) inbox.add(readLiveLine(rest, plan.dialect), rest.length)
  }

  async function ask(
    action: LiveActionName,
    input: LiveRequestInput,
    limits: { milliseconds: number; signal?: AbortSignal },
  ): Promise<LiveLine | Ended> {
    if (exit) return { exit }
    if (limits.signal?.aborted) return 'aborted'
    const line = serializeRequest({ seq: seq + 1, ...plan.request(action, input) })
    if (line === undefined) return 'not-json'
    seq += 1
    const { promise, resolve } = Promise.withResolvers<LiveLine | Ended>()
    const number = seq
    const onAbort = (): void => resolve('aborted')
    let stopText: (() => void) | undefined
    const stopLimit = limitTime(limits.milliseconds, () => resolve(stopText ? 'text' : 'timeout'))
    unanswered.add(number)
    waiting.set(number, {
      action,
      end: resolve,
      expectSoon: () => {
        stopText?.()
        stopText = limitTime(TEXT_MS, () => resolve('text'))
      },
    })
    limits.signal?.addEventListener('abort', onAbort, { once: true })
    void child.write(`${line}\n`)
    const ended = await promise
    stopLimit()
    stopText?.()
    waiting.delete(number)
    limits.signal?.removeEventListener('abort', onAbort)
    return ended
  }

  /** Returns a result after everything that the tool sent and that is in no result yet. */
  function deliver(result: ToolResult, nextStatus: Status): ToolResult {
    return withLive([...late.takeAll(), inbox.take(), { result, warnings: [] }], nextStatus)
  }

  /** Returns the result of a response. The last one has what the tool sent after it too. */
  async function respond(response: LiveLine, nextStatus: Status): Promise<ToolResult> {
    if (nextStatus !== 'stopped') return withLive([response], nextStatus)
    await stop()
    return withLive([response, ...late.takeAll(), inbox.take()], nextStatus)
  }

  async function readResult(answer: LiveLine | Ended, action: LiveActionName): Promise<ToolResult> {
    if (answer === 'aborted') return await end('was cancelled', 'cancelled')
    if (answer === 'timeout') return await onTimeout(action)
    if (answer === 'text') return onText(action)
    if (answer === 'not-json') return await onUnwritable(action)
    if ('exit' in answer) return await onExit(answer.exit)
    return await respond(answer, answer.status ?? 'stopped')
  }

  async function onTimeout(action: LiveActionName): Promise<ToolResult> {
    // The last message without a request may be its final one.
    if (status === 'stopped') await stop()
    if (action === 'fetch' || status === 'stopped') return deliver(NOTHING, status)
    status = 'running'
    const seconds = plan.timeoutMs / 1000
    const text = `Tool ${quoteName(plan.name)} did not answer within ${seconds} s; it is still running. Fetch again, or abort it.`
    return deliver(createFailure(`${text}${describeHeld()}`, 'timeout'), 'running')
  }

  function onText(action: LiveActionName): ToolResult {
    // A fetch changes nothing: a tool that waited still waits.
    if (action !== 'fetch') status = 'running'
    return deliver(NOTHING, status)
  }

  /** Says what was expected instead of the lines that are held. */
  function describeHeld(): string {
    holdRest()
    if (inbox.isEmpty()) return ''
    const expected = hasNumbered
      ? `"_meta": {"${META_RE}": …} with the "seq" of the request, as in an earlier response`
      : 'a "content" array'
    return ` It printed what is above, which answers no request: expected one line of JSON with ${expected}.`
  }

  /** Nothing was sent: a running program continues unchanged, unless it was never started. */
  async function onUnwritable(action: LiveActionName): Promise<ToolResult> {
    if (action === 'spawn') await stop()
    const text = `Tool ${quoteName(plan.name)} received nothing. ${NOT_JSON}`
    const nextStatus = action === 'spawn' ? 'stopped' : status
    return deliver(createFailure(text), nextStatus)
  }

  async function onExit({ code }: ProgramExit): Promise<ToolResult> {
    holdRest()
    await stop()
    if (code === 0) return deliver(NOTHING, 'stopped')
    const how = typeof code === 'number' ? `with exit code ${code}` : `by the signal ${code}`
    const printed = stderr.text()
    const sentence = `Tool ${quoteName(plan.name)} ended ${how}.`
    const content =
      printed === ''
        ? createQuotingBlocks(`${sentence} It printed nothing on stderr.`)
        : createQuotingBlocks(`${sentence} On stderr it printed:`, printed)
    return deliver(createErrorResult(content), 'stopped')
  }

  /** Gives the program a moment to end, then ends it and all processes that it started. */
  function stop(): Promise<void> {
    stopping ??= endProgram()
    return stopping
  }

  async function endProgram(): Promise<void> {
    plan.signal.removeEventListener('abort', onHostAbort)
    child.endInput()
    if (!(await settlesWithin(plan.graceMs / 2, child.exited))) {
      child.terminate()
      await settlesWithin(plan.graceMs, child.exited)
    }
    await settlesWithin(KILL_MS, Promise.all([launched.kill(), untilGone(child, KILL_MS)]))
    launched.release()
  }

  async function end(how: string, outcome: 'cancelled' | 'completed'): Promise<ToolResult> {
    const answer = stopping ? 'aborted' : await ask('abort', {}, { milliseconds: plan.graceMs })
    if (typeof answer === 'object' && 'result' in answer) return await respond(answer, 'stopped')
    await stop()
    const text = `Tool ${quoteName(plan.name)} ${how}.${outcome === 'completed' ? '' : describeHeld()}`
    return deliver(
      outcome === 'completed'
        ? { content: [{ type: 'text', text }], isError: false }
        : createFailure(text, outcome),
      'stopped',
    )
  }

  /** Returns what the tool sent before it stopped, or says that it has stopped. */
  async function refuse(reason: ToolResult = NOTHING): Promise<ToolResult> {
    await stop()
    return late.isEmpty() ? hasStopped(plan.name) : deliver(reason, 'stopped')
  }

  async function fetch({ signal }: { signal: AbortSignal }): Promise<ToolResult> {
    if (stopping) return await refuse()
    const next = signal.aborted ? undefined : late.next()
    if (next) return await respond(next, next.status ?? 'stopped')
    return await readResult(await ask('fetch', {}, { milliseconds: FETCH_MS, signal }), 'fetch')
  }

  async function apply(
    input: LiveRequestInput,
    { signal }: { signal: AbortSignal },
  ): Promise<ToolResult> {
    if (stopping || late.hasLast()) {
      const text = `Tool ${quoteName(plan.name)} had stopped before: it did not receive the input.`
      return await refuse({ content: [{ type: 'text', text }], isError: false })
    }
    const limits = { milliseconds: plan.timeoutMs, signal }
    return await readResult(await ask('apply', input, limits), 'apply')
  }

  const onHostAbort = (): void => void stop()
  plan.signal.addEventListener('abort', onHostAbort, { once: true })

  const first = await ask('spawn', {}, { milliseconds: plan.timeoutMs, signal: plan.signal })
  const started = await readResult(first, 'spawn')
  return {
    started,
    fetch,
    apply,
    abort: async () =>
      stopping || late.hasLast() ? await refuse() : await end('was aborted', 'completed'),
  }
}

/** Returns a result with these lines, and with the status and metadata of the host alone. */
function withLive(lines: readonly LiveLine[], status: Status): ToolResult {
  const { result, warnings } = joinLines(lines)
  const outcome = result.metadata?.outcome ?? (result.isError ? 'failed' : 'completed')
  const metadata = { outcome, ...(warnings.length > 0 && { warnings }) }
  return withStatus({ ...result, metadata }, status)
}

/** Waits for the end of a program, and for its output unless another process holds that open. */
async function readEnd(child: Child): Promise<ProgramExit> {
  const exit = await child.exited
  await settlesWithin(DRAIN_MS, child.closed)
  return exit
}
