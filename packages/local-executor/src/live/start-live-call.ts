import { parseToolOutput } from '@toolblocks/parser'
import {
  type ContentBlock,
  type LiveCall,
  type Problem,
  type ProgramExit,
  type Progress,
  type Status,
  type ToolRequest,
  type ToolResult,
  createErrorResult,
  createFailure,
} from '@toolblocks/protocol'
import { createQuotingBlocks } from '@toolblocks/protocol/content'
import { MAX_OUTPUT_BYTES } from '@toolblocks/protocol/limits'
import { META_RE } from '@toolblocks/protocol/meta'
import { readStatus, withStatus } from '@toolblocks/protocol/results'
import { quoteName } from '@toolblocks/protocol/text'
import { NOT_JSON, serializeRequest } from '../command/tool-request.ts'
import { createHeadAndTail } from '../output/output-buffer.ts'
import { reportLines } from '../output/report-lines.ts'
import { takeProgress } from '../output/take-progress.ts'
import { DRAIN_MS, KILL_MS, untilGone, within } from '../process/end-processes.ts'
import type { Launched } from '../process/launch-program.ts'
import type { Child } from '../process/start-child.ts'
import { hasStopped } from './not-started.ts'

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

const INBOX_BYTES = 1024 * 1024

const STDERR_LIMITS = { head: 16 * 1024, tail: 48 * 1024 }

type Ended = 'timeout' | 'aborted' | 'not-json' | { exit: ProgramExit }

/** Speaks the line protocol (docs/protocol.md) with a started program: one JSON line in, one response line out. */
export async function startLiveCall(launched: Launched, plan: LivePlan): Promise<LiveCall> {
  const { child } = launched
  const inbox = createInbox(INBOX_BYTES)
  const stderr = createHeadAndTail(STDERR_LIMITS)
  const waiting = new Map<number, (answer: LiveLine | Ended) => void>()
  let seq = 0
  let status: Status = 'running'
  let exit: ProgramExit | undefined
  let stopping: Promise<void> | undefined

  const lines = splitLines(MAX_OUTPUT_BYTES, (bytes) => {
    if (bytes.length === 0) return
    const line = readLiveLine(bytes, plan.dialect)
    const reply = line.re === undefined ? undefined : waiting.get(line.re)
    // Immediately, because the next line of the same chunk may change the state.
    status = line.status ?? status
    if (reply) return reply(line)
    inbox.add(line.result.content, line.warnings, bytes.length)
  })
  child.stdout.on('data', lines.write)
  const told = plan.onProgress && reportLines(plan.onProgress)
  const reports = takeProgress(
    (progress) => told?.tell(progress),
    (chunk) => {
      stderr.write(chunk)
      told?.write(chunk)
    },
  )
  child.stderr.on('data', reports.write)
  void readEnd(child).then((ended) => {
    exit = ended
    reports.end()
    told?.end()
    for (const resolve of waiting.values()) resolve({ exit: ended })
  })

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
    const timer = setTimeout(resolve, limits.milliseconds, 'timeout')
    waiting.set(number, resolve)
    limits.signal?.addEventListener('abort', onAbort, { once: true })
    void child.write(`${line}\n`)
    const answer = await promise
    clearTimeout(timer)
    waiting.delete(number)
    limits.signal?.removeEventListener('abort', onAbort)
    return answer
  }

  /** Returns a result after the content that the tool sent without a request. */
  function deliver(
    result: ToolResult,
    given: Status,
    warnings: LiveLine['warnings'] = [],
  ): ToolResult {
    const before = inbox.take()
    const all = [...before.warnings, ...warnings]
    const outcome = result.metadata?.outcome ?? (result.isError ? 'failed' : 'completed')
    return withStatus(
      {
        ...result,
        content: [...before.content, ...result.content],
        metadata: { outcome, ...(all.length > 0 && { warnings: all }) },
      },
      given,
    )
  }

  async function readResult(answer: LiveLine | Ended, action: LiveActionName): Promise<ToolResult> {
    if (answer === 'aborted') return await end('was cancelled', 'cancelled')
    if (answer === 'timeout') return await onTimeout(action)
    if (answer === 'not-json') return await onUnwritable(action)
    if ('exit' in answer) return await onExit(answer.exit)
    const given = answer.status ?? 'stopped'
    if (given === 'stopped') await stop()
    return deliver(answer.result, given, answer.warnings)
  }

  async function onTimeout(action: LiveActionName): Promise<ToolResult> {
    // The last message without a request may be its final one.
    if (status === 'stopped') await stop()
    if (action === 'fetch' || status === 'stopped')
      return deliver({ content: [], isError: false }, status)
    status = 'running'
    const seconds = plan.timeoutMs / 1000
    const text = `Tool ${quoteName(plan.name)} did not answer within ${seconds} s; it is still running. Fetch again, or abort it.`
    return deliver(createFailure(text, 'timeout'), 'running')
  }

  /** Nothing was sent: a running program continues unchanged, unless it was never started. */
  async function onUnwritable(action: LiveActionName): Promise<ToolResult> {
    if (action === 'spawn') await stop()
    const text = `Tool ${quoteName(plan.name)} received nothing. ${NOT_JSON}`
    const given = action === 'spawn' ? 'stopped' : status
    return deliver(createFailure(text), given)
  }

  async function onExit({ code }: ProgramExit): Promise<ToolResult> {
    const rest = lines.rest()
    if (rest.length > 0) {
      const { result, warnings } = readLiveLine(rest, plan.dialect)
      inbox.add(result.content, warnings, rest.length)
    }
    await stop()
    if (code === 0) return deliver({ content: [], isError: false }, 'stopped')
    const how = typeof code === 'number' ? `with exit code ${code}` : `by the signal ${code}`
    const printed = stderr.text()
    const said = `Tool ${quoteName(plan.name)} ended ${how}.`
    const content =
      printed === ''
        ? createQuotingBlocks(`${said} It printed nothing on stderr.`)
        : createQuotingBlocks(`${said} On stderr it printed:`, printed)
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
    if (!(await within(plan.graceMs / 2, child.exited))) {
      child.terminate()
      await within(plan.graceMs, child.exited)
    }
    await within(KILL_MS, Promise.all([launched.kill(), untilGone(child, KILL_MS)]))
    launched.release()
  }

  async function end(how: string, outcome: 'cancelled' | 'completed'): Promise<ToolResult> {
    const answer = stopping ? 'aborted' : await ask('abort', {}, { milliseconds: plan.graceMs })
    await stop()
    if (typeof answer === 'object' && 'result' in answer)
      return deliver(answer.result, 'stopped', answer.warnings)
    const text = `Tool ${quoteName(plan.name)} ${how}.`
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
    apply: async (given, { signal }) =>
      stopping
        ? await refuse()
        : await readResult(
            await ask('apply', given, { milliseconds: plan.timeoutMs, signal }),
            'apply',
          ),
    abort: async () => (stopping ? await refuse() : await end('was aborted', 'completed')),
  }
}

/** Waits for the end of a program, and for its output unless another process holds that open. */
async function readEnd(child: Child): Promise<ProgramExit> {
  const exit = await child.exited
  await within(DRAIN_MS, child.closed)
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

/** Splits bytes into lines. */
interface LineSplitter {
  write(chunk: Uint8Array): void
  /** Returns the bytes after the last line end. */
  rest(): Uint8Array
}

const LINE_FEED = 10

/**
 * Splits bytes into lines, without their ends. A line longer than `limit` bytes is passed in pieces of that size, so that a program that never ends
 * its line cannot fill the memory.
 */
export function splitLines(limit: number, onLine: (line: Uint8Array) => void): LineSplitter {
  let parts: Uint8Array[] = []
  let size = 0

  function take(): Uint8Array {
    const line = parts.length === 1 ? (parts[0] ?? new Uint8Array()) : Buffer.concat(parts)
    parts = []
    size = 0
    return line
  }

  function keep(part: Uint8Array): void {
    for (let start = 0; start < part.length;) {
      const piece = part.subarray(start, start + limit - size)
      parts.push(piece)
      size += piece.length
      start += piece.length
      if (size === limit) onLine(take())
    }
  }

  return {
    write: (chunk) => {
      let start = 0
      for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
        keep(chunk.subarray(start, end))
        onLine(take())
        start = end + 1
      }
      keep(chunk.subarray(start))
    },
    rest: take,
  }
}

/** Messages that a live tool sent without a request, until the next fetch. */
interface Inbox {
  add(content: readonly ContentBlock[], warnings: readonly Problem[], bytes: number): void
  /** Removes and returns everything; a warning says how much was dropped. */
  take(): { content: readonly ContentBlock[]; warnings: readonly Problem[] }
}

/** Creates an inbox that keeps the first `limit` bytes between two fetches and counts the rest. */
export function createInbox(limit: number): Inbox {
  let content: ContentBlock[] = []
  let warnings: Problem[] = []
  let kept = 0
  let dropped = 0
  return {
    add: (blocks, problems, bytes) => {
      if (kept + bytes > limit) {
        dropped += bytes
        return
      }
      kept += bytes
      content.push(...blocks)
      warnings.push(...problems)
    },
    take: () => {
      const message = `the tool printed more than is kept between two fetches: ${dropped} bytes are lost; fetch more often`
      const lost: Problem[] =
        dropped === 0
          ? []
          : [{ path: '', message, expected: `at most ${limit} bytes`, code: 'over-limit' }]
      const taken = { content, warnings: [...warnings, ...lost] }
      content = []
      warnings = []
      kept = 0
      dropped = 0
      return taken
    },
  }
}
