import {
  createErrorResult,
  createFailure,
  type LiveCall,
  MAX_OUTPUT_BYTES,
  type ProgramExit,
  nameInWords,
  sayAndQuote,
  type Status,
  type ToolRequest,
  type ToolResult,
  withStatus,
} from '@toolblocks/protocol'
import { NOT_JSON, writeRequest } from '../tool-request.ts'
import { createHeadAndTail } from '../output/head-and-tail.ts'
import type { Launched } from '../process/launch-program.ts'
import { DRAIN_MS, KILL_MS, untilGone } from '../process/end/until-gone.ts'
import { within } from '../process/end/within.ts'
import type { Child } from '../process/start/start-child.ts'
import { createInbox } from './inbox.ts'
import { hasStopped } from './not-started.ts'
import { type LiveLine, readLiveLine } from './read-live-line.ts'
import { splitLines } from './split-lines.ts'

/** What a live call needs to know of its tool. */
export interface LivePlan {
  readonly name: string
  readonly dialect: 'blocks' | 'outcome'
  /** How long a tool may take to answer `spawn`, `apply` and `abort`, in milliseconds. */
  readonly timeoutMs: number
  readonly graceMs: number
  /** Makes the request of an action; `seq` is added. */
  readonly request: (action: LiveActionName, input: LiveRequestInput) => ToolRequest
  readonly signal: AbortSignal
}

/** The actions of a live line. */
type LiveActionName = 'spawn' | 'fetch' | 'apply' | 'abort'

/** What `apply` carries. */
type LiveRequestInput = Pick<NonNullable<ToolRequest['tool']>, 'input' | 'answers'>

/** A tool that has nothing to say need not answer a fetch: it is running then. In milliseconds. */
const FETCH_MS = 1000
const INBOX_BYTES = 1024 * 1024
const STDERR_LIMITS = { head: 16 * 1024, tail: 48 * 1024 }

type Ended = 'timeout' | 'aborted' | 'not-json' | { exit: ProgramExit }

/** Speaks the line protocol (docs/protocol.md) with a program that was launched: one JSON line in, one response line out. */
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
    // At once, as the next line of the same chunk may say something else.
    status = line.status ?? status
    if (reply) return reply(line)
    inbox.add(line.result.content, line.warnings, bytes.length)
  })
  child.stdout.on('data', lines.write)
  child.stderr.on('data', stderr.write)
  void endOf(child).then((ended) => {
    exit = ended
    for (const resolve of waiting.values()) resolve({ exit: ended })
  })

  async function ask(
    action: LiveActionName,
    input: LiveRequestInput,
    limits: { milliseconds: number; signal?: AbortSignal },
  ): Promise<LiveLine | Ended> {
    if (exit) return { exit }
    if (limits.signal?.aborted) return 'aborted'
    const line = writeRequest({ seq: seq + 1, ...plan.request(action, input) })
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

  /** A result with what came unasked before it. */
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

  async function resultOf(answer: LiveLine | Ended, action: LiveActionName): Promise<ToolResult> {
    if (answer === 'aborted') return await end('was cancelled', 'cancelled')
    if (answer === 'timeout') return await onTimeout(action)
    if (answer === 'not-json') return await onUnwritable(action)
    if ('exit' in answer) return await onExit(answer.exit)
    const given = answer.status ?? 'stopped'
    if (given === 'stopped') await stop()
    return deliver(answer.result, given, answer.warnings)
  }

  async function onTimeout(action: LiveActionName): Promise<ToolResult> {
    // What it said unasked may have been its last word.
    if (status === 'stopped') await stop()
    if (action === 'fetch' || status === 'stopped')
      return deliver({ content: [], isError: false }, status)
    status = 'running'
    const seconds = plan.timeoutMs / 1000
    const text = `Tool ${nameInWords(plan.name)} did not answer within ${seconds} s; it is still running. Fetch again, or abort it.`
    return deliver(createFailure(text, 'timeout'), 'running')
  }

  /** Nothing was sent: what runs goes on as it was, unless it never began. */
  async function onUnwritable(action: LiveActionName): Promise<ToolResult> {
    if (action === 'spawn') await stop()
    const text = `Tool ${nameInWords(plan.name)} was told nothing. ${NOT_JSON}`
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
    const said = `Tool ${nameInWords(plan.name)} ended ${how}.`
    const content =
      printed === ''
        ? sayAndQuote(`${said} It printed nothing on stderr.`)
        : sayAndQuote(`${said} On stderr it printed:`, printed)
    return deliver(createErrorResult(content), 'stopped')
  }

  /** Lets the program end by itself for a moment, then ends it and all it has started. */
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
    const text = `Tool ${nameInWords(plan.name)} ${how}.`
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
  const started = await resultOf(first, 'spawn')
  return {
    started,
    fetch: async ({ signal }) =>
      stopping
        ? await refuse()
        : await resultOf(await ask('fetch', {}, { milliseconds: FETCH_MS, signal }), 'fetch'),
    apply: async (given, { signal }) =>
      stopping
        ? await refuse()
        : await resultOf(
            await ask('apply', given, { milliseconds: plan.timeoutMs, signal }),
            'apply',
          ),
    abort: async () => (stopping ? await refuse() : await end('was aborted', 'completed')),
  }
}

/** The end of a program, with its output where nothing it has started holds that open. */
async function endOf(child: Child): Promise<ProgramExit> {
  const exit = await child.exited
  await within(DRAIN_MS, child.closed)
  return exit
}
