import {
  type ContentBlock,
  type JsonValue,
  type LiveCall,
  type Status,
  type ToolResult,
  createErrorResult,
  createSuccessResult,
  withStatus,
} from '@toolblocks/protocol'
import { type LiveInput, describeValue } from '@toolblocks/protocol/internal'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { thrownResult, toResult, toStructuredResult } from '../results/output.ts'
import { checkArguments, checkOutput } from './check-arguments.ts'
import { type ToolParts, type Waiting, isWaiting } from './defined-tool.ts'
import { createContext, type GivenCall } from './tool-context.ts'

/**
 * Starts a call that stays alive. Never rejects: a call that cannot be started has stopped, and its result says why. Progress is reported until
 * `isOver` returns true; a host hears nothing after the result that it waits for.
 */
export async function spawnCall(
  tool: ToolParts,
  givenCall: GivenCall,
  isOver: () => boolean = () => false,
): Promise<LiveCall> {
  const { name, work } = tool
  if (!work.stateful)
    return notStarted(
      name,
      createErrorResult(`The tool ${JSON.stringify(name)} runs once; call it.`),
    )
  try {
    const checked = await checkArguments(tool, givenCall.call.arguments)
    if (!checked.ok) return notStarted(name, checked.result)
    const abort = new AbortController()
    const context = createContext({ ...givenCall, signal: abort.signal }, isOver)
    const steps = readSteps(work.run(checked.value, context))
    const live = await startLiveRun(tool, steps, abort)
    givenCall.signal.addEventListener('abort', () => void live.abort(), { once: true })
    if (givenCall.signal.aborted) await live.abort()
    return live
  } catch (thrown) {
    return notStarted(name, thrownResult(name, thrown))
  }
}

type Steps = AsyncGenerator<unknown, unknown, JsonValue>

/** Reads what a stateful tool runs as. Throws a `TypeError` for anything but an asynchronous generator. */
function readSteps(returned: unknown): Steps {
  const isGenerator =
    typeof returned === 'object' && returned !== null && Symbol.asyncIterator in returned
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of `run` says what it yields
  if (isGenerator && 'next' in returned) return returned as Steps
  throw new TypeError(
    `run: the tool is stateful: expected an asynchronous generator, as async *run makes it, got ${describeValue(returned)}`,
  )
}

function notStarted(tool: string, result: ToolResult): LiveCall {
  const refuse = async (): Promise<ToolResult> => hasStopped(tool)
  return { started: withStatus(result, 'stopped'), fetch: refuse, apply: refuse, abort: refuse }
}

/** How long an aborted tool may clean up, in milliseconds: a little less than hosts wait. */
const CLEANUP_MS = 1500

/** A tool that cannot go on without input; `null` is given when it is aborted. */
interface Wait {
  question: Waiting['question']
  give: (value: JsonValue) => void
}

/** Keeps a stateful tool going between the actions of whoever holds it; aborting `abort` is aborting the call. */
async function startLiveRun(
  parts: ToolParts,
  steps: Steps,
  abort: AbortController,
): Promise<LiveCall> {
  const { name: tool } = parts
  const news = createNews()
  const early: JsonValue[] = []
  let status: Status = 'running'
  let waitsFor: Wait | undefined
  let something = Promise.withResolvers<void>()

  function notifyWaiters(): void {
    something.resolve()
    something = Promise.withResolvers()
  }

  async function runSteps(): Promise<void> {
    try {
      let step = await steps.next(null)
      let isReturning = false
      while (step.done !== true) {
        const value = await take(step.value)
        const isOver: boolean = abort.signal.aborted && !isReturning
        isReturning ||= isOver
        step = isOver ? await steps.return(undefined) : await steps.next(value)
      }
      // An aborted tool owes no data.
      if (step.value !== undefined || !abort.signal.aborted)
        news.add(await readLast(parts, step.value))
    } catch (thrown) {
      // An aborted tool says in its own way that it was.
      if (!abort.signal.aborted) news.add(thrownResult(tool, thrown))
    }
    status = 'stopped'
    notifyWaiters()
  }

  /** Shows what the tool yielded; gives what it gets for it. */
  async function take(yielded: unknown): Promise<JsonValue> {
    if (isWaiting(yielded)) return await wait(yielded)
    news.add(toResult(yielded))
    notifyWaiters()
    if (!abort.signal.aborted) await news.room()
    return null
  }

  async function wait({ content, question }: Waiting): Promise<JsonValue> {
    news.add(createSuccessResult(content))
    const typed = question ? undefined : early.shift()
    if (typed !== undefined || abort.signal.aborted) return typed ?? null
    if (question) news.add(createSuccessResult([{ type: 'question', question }]))
    status = 'waiting'
    const { promise, resolve } = Promise.withResolvers<JsonValue>()
    waitsFor = { question, give: resolve }
    notifyWaiters()
    return await promise
  }

  function deliver(): ToolResult {
    return withStatus(news.take(), status)
  }

  /** What comes within one turn belongs together, such as what is shown and the question behind it. */
  async function deliverNext(signal?: AbortSignal): Promise<ToolResult> {
    const { promise: abandoned, resolve: giveUp } = Promise.withResolvers<void>()
    const onAbort = (): void => giveUp()
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted !== true) await Promise.race([something.promise, abandoned])
    signal?.removeEventListener('abort', onAbort)
    await nextTurn()
    return deliver()
  }

  async function apply(input: LiveInput, { signal }: { signal: AbortSignal }): Promise<ToolResult> {
    if (status === 'stopped') return hasStopped(tool)
    const question = waitsFor?.question
    const value = valueFor(question, input)
    if (value === undefined) {
      const expected = question ? `an answer to ${JSON.stringify(question.id)}` : 'input'
      return withStatus(createErrorResult(`The tool expects ${expected}.`), status)
    }
    if (!waitsFor) {
      early.push(value)
      return deliver()
    }
    continueRun(waitsFor, value)
    return await deliverNext(signal)
  }

  function continueRun({ give }: Wait, value: JsonValue): void {
    waitsFor = undefined
    status = 'running'
    give(value)
  }

  async function end(): Promise<ToolResult> {
    if (status === 'stopped') return deliver()
    abort.abort()
    const unfetched = news.take()
    news.add(unfetched)
    if (waitsFor) continueRun(waitsFor, null)
    const ended = await Promise.race([
      driving.then(() => true),
      sleep(CLEANUP_MS, false, { ref: false }),
    ])
    status = 'stopped'
    if (!ended) news.add(createErrorResult(`The tool ${JSON.stringify(tool)} does not end.`))
    return deliver()
  }

  const first = deliverNext()
  const driving = runSteps()
  const started = await first
  return { started, fetch: async () => deliver(), apply, abort: end }
}

/** What a generator returned. One without an `outputSchema` may return nothing. */
async function readLast(parts: ToolParts, returned: unknown): Promise<ToolResult> {
  if (parts.output) return await checkOutput(parts, toStructuredResult(returned))
  return returned === undefined ? createSuccessResult([]) : toResult(returned)
}

function valueFor(question: Waiting['question'], input: LiveInput): JsonValue | undefined {
  if ('input' in input) return input.input
  if (!question || !Object.hasOwn(input.answers, question.id)) return undefined
  return input.answers[question.id]
}

/** What is said of a call that is over. */
function hasStopped(tool: string): ToolResult {
  const text = `The tool ${JSON.stringify(tool)} has stopped; spawn it again.`
  return withStatus(createErrorResult(text), 'stopped')
}

/** Blocks that nobody has taken, above which there is no room for more. */
const MAX_BLOCKS = 1000

/** What a stateful tool has shown since somebody looked. */
interface News {
  add(result: ToolResult): void
  /** Takes everything out. */
  take(): ToolResult
  /** Settles when there is room for more: at once, or when all is taken. */
  room(): Promise<void>
}

/** Makes news that are empty. */
function createNews(): News {
  let content: ContentBlock[] = []
  let rest: Omit<ToolResult, 'content'> = { isError: false }
  let taken = Promise.withResolvers<void>()
  return {
    add: ({ content: blocks, isError, ...more }) => {
      content.push(...blocks)
      rest = { ...rest, ...more, isError: rest.isError || isError }
    },
    take: () => {
      const result = { ...rest, content }
      content = []
      rest = { isError: false }
      taken.resolve()
      taken = Promise.withResolvers()
      return result
    },
    room: async () => {
      if (content.length >= MAX_BLOCKS) await taken.promise
    },
  }
}

export { runLiveCall } from '@toolblocks/protocol/internal'
