import { parseToolOutput } from '@toolblocks/parser'
import {
  type LiveCall,
  type Problem,
  type ProgramExit,
  type Progress,
  type Status,
  type ToolRequest,
  type ToolResult,
  createErrorResult,
  createFailure,
  readStatus,
  withStatus,
} from '@toolblocks/protocol'
import {
  createQuotingBlocks,
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
import { createInbox, type LiveOutput } from './inbox.ts'
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

const STDERR_LIMITS = { head: 16 * 1024, tail: 48 * 1024 }

/** `text`: the tool printed text, then nothing, and no response. */
type Ended = 'timeout' | 'text' | 'aborted' | 'not-json' | { exit: ProgramExit }

/** A request without its response. */
interface OpenLiveRequest {
  end(answer: LiveLine | Ended): void
  /** Restarts the wait for a response after text. */
  expectSoon(): void
}

/** Speaks the line protocol (docs/protocol.md) with a started program: one JSON line in, one response out. */
export async function startLiveCall(launched: Launched, plan: LivePlan): Promise<LiveCall> {
  const { child } = launched
  const inbox = createInbox(INBOX_BYTES)
  const stderr = createHeadAndTail(STDERR_LIMITS)
  const waiting = new Map<number, OpenLiveRequest>()
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
    const request = findRequest(line)
    // Immediately, because the next line of the same chunk may change the state.
    status = line.status ?? status
    // What comes after a response belongs to the next result.
    if (request) return request.end(withLinesBefore(line, inbox.take()))
    hold(line, bytes.length)
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

  /** Removes and returns the request that a line answers. */
  function findRequest({ re, status: nextStatus }: LiveLine): OpenLiveRequest | undefined {
    const [oldest] = waiting.keys()
    const number = re ?? (hasNumbered || nextStatus === undefined ? undefined : oldest)
    const request = number === undefined ? undefined : waiting.get(number)
    if (request && number !== undefined) waiting.delete(number)
    return request
  }

  function hold({ result, warnings }: LiveLine, bytes: number): void {
    inbox.add(result.content, warnings, bytes)
  }

  function holdRest(): void {
    const rest = messages.rest()
    if (rest.length > 0) hold(readLiveLine(rest, plan.dialect), rest.length)
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
    let timer = setTimeout(resolve, limits.milliseconds, 'timeout')
    const until = performance.now() + limits.milliseconds
    waiting.set(number, {
      end: resolve,
      expectSoon: () => {
        clearTimeout(timer)
        timer = setTimeout(resolve, Math.min(TEXT_MS, until - performance.now()), 'text')
      },
    })
    limits.signal?.addEventListener('abort', onAbort, { once: true })
    void child.write(`${line}\n`)
    const answer = await promise
    clearTimeout(timer)
    waiting.delete(number)
    limits.signal?.removeEventListener('abort', onAbort)
    return answer
  }

  /** Returns a result after the content that the tool sent without a request. */
  function deliver(result: ToolResult, nextStatus: Status): ToolResult {
    const own = { content: result.content, warnings: [] }
    return withLive(join(inbox.take(), own), result, nextStatus)
  }

  /** Returns the result of a response. The last one has what the tool sent after it too. */
  async function respond({ result, warnings }: LiveLine, nextStatus: Status): Promise<ToolResult> {
    const own = { content: result.content, warnings }
    if (nextStatus !== 'stopped') return withLive(own, result, nextStatus)
    await stop()
    return withLive(join(own, inbox.take()), result, nextStatus)
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
    if (action === 'fetch' || status === 'stopped')
      return deliver({ content: [], isError: false }, status)
    status = 'running'
    const seconds = plan.timeoutMs / 1000
    const text = `Tool ${quoteName(plan.name)} did not answer within ${seconds} s; it is still running. Fetch again, or abort it.`
    return deliver(createFailure(`${text}${describeHeld()}`, 'timeout'), 'running')
  }

  function onText(action: LiveActionName): ToolResult {
    // A fetch changes nothing: a tool that waited still waits.
    if (action !== 'fetch') status = 'running'
    return deliver({ content: [], isError: false }, status)
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
    if (code === 0) return deliver({ content: [], isError: false }, 'stopped')
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

  async function refuse(): Promise<ToolResult> {
    await stop()
    return hasStopped(plan.name)
  }

  const onHostAbort = (): void => void stop()
  plan.signal.addEventListener('abort', onHostAbort, { once: true })

  const first = await ask('spawn', {}, { milliseconds: plan.timeoutMs, signal: plan.signal })
  const started = await readResult(first, 'spawn')
  return {
    started,
    fetch: async ({ signal }) =>
      stopping
        ? await refuse()
        : await readResult(await ask('fetch', {}, { milliseconds: FETCH_MS, signal }), 'fetch'),
    apply: async (values, { signal }) =>
      stopping
        ? await refuse()
        : await readResult(
            await ask('apply', values, { milliseconds: plan.timeoutMs, signal }),
            'apply',
          ),
    abort: async () => (stopping ? await refuse() : await end('was aborted', 'completed')),
  }
}

function join(first: LiveOutput, second: LiveOutput): LiveOutput {
  return {
    content: [...first.content, ...second.content],
    warnings: [...first.warnings, ...second.warnings],
  }
}

function withLinesBefore(line: LiveLine, before: LiveOutput): LiveLine {
  const { content, warnings } = join(before, { ...line, content: line.result.content })
  return { ...line, result: { ...line.result, content }, warnings }
}

/** Returns a result with these blocks, and with the status and metadata of the host alone. */
function withLive(
  { content, warnings }: LiveOutput,
  result: ToolResult,
  status: Status,
): ToolResult {
  const outcome = result.metadata?.outcome ?? (result.isError ? 'failed' : 'completed')
  const metadata = { outcome, ...(warnings.length > 0 && { warnings }) }
  return withStatus({ ...result, content, metadata }, status)
}

/** Waits for the end of a program, and for its output unless another process holds that open. */
async function readEnd(child: Child): Promise<ProgramExit> {
  const exit = await child.exited
  await settlesWithin(DRAIN_MS, child.closed)
  return exit
}

/** One line of a live tool. */
interface LiveLine {
  /** The `seq` of the request that it answers. Absent: sent without a request. */
  re?: number
  /** Absent for text, which does not change the tool's status. */
  status?: Status
  result: ToolResult
  warnings: readonly Problem[]
}

/** Reads one line: a response document, or any text, kept unchanged with its line end. */
function readLiveLine(line: Uint8Array, dialect: 'blocks' | 'outcome'): LiveLine {
  const { result, warnings, format } = parseToolOutput(line, { dialect })
  if (format === 'raw') return { result: { ...result, content: withLineEnd(result) }, warnings }
  const { _meta: meta } = result
  const re: unknown = meta && Object.hasOwn(meta, META_RE) ? meta[META_RE] : undefined
  return {
    ...(typeof re === 'number' && { re }),
    status: readStatus(result),
    result,
    warnings,
  }
}

function withLineEnd({ content }: ToolResult): ToolResult['content'] {
  return content.map((block) =>
    block.type === 'text' ? { ...block, text: `${block.text}\n` } : block,
  )
}
