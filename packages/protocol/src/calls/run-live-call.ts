import type { ContentBlock } from '../content/content-block.ts'
import { limitTime } from '../limits/limit-time.ts'
import { MAX_LIVE_INTERACTIONS, MAX_OUTPUT_BYTES } from '../limits/limits.ts'
import type { AnswerQuestion, Answers } from '../questions/answer.ts'
import { type FoundQuestion, askQuestions, describeUnanswered } from '../questions/ask-questions.ts'
import { quoteName } from '../text/describe-value.ts'
import type { ToolCall } from '../tools/tool-call.ts'
import { type ToolResult, createFailure, withStatus, withWarnings } from '../tools/tool-result.ts'
import { createLimitedOutput } from './limited-output.ts'
import { createInputQuestion, readLiveResponse } from './read-live-response.ts'
import type { LiveCall, LiveInput } from './tool.ts'

/** How a stateful call is run from start to end. */
export interface LiveRun {
  call: ToolCall
  /** Answers known in advance, by question id. Their questions are not asked. */
  answers?: Answers
  /** Answers the tool's questions. Absent: they get no answer. */
  ask?: AnswerQuestion
  /** Returns the input for a tool that waits without a question; the last output of the tool is the question's text. Default: `ask`. */
  askInput?: AnswerQuestion
  /** Ends the call. */
  signal: AbortSignal
  /** Milliseconds that the tool may run without asking. Default: no limit. */
  timeoutMs?: number
}

/** Milliseconds between two fetches without new output; doubled each time. */
const FIRST_PAUSE_MS = 2

const MAX_PAUSE_MS = 100

/**
 * Runs a stateful call as one call from start to end. The tool's questions are answered while it stays alive, so nothing is done twice. All its
 * output is one result without questions. A call without an answer, or over its time, is ended; the result says why, and that its effects remain.
 * Rejects if the stateful call rejects; the call has been ended then.
 */
export async function runLiveCall(live: LiveCall, run: LiveRun): Promise<ToolResult> {
  const { signal, timeoutMs = Infinity } = run
  const output = createLimitedOutput({ characters: MAX_OUTPUT_BYTES, span: 'of one call' })
  let hasFailed = false
  let interactions = 0
  let inputs = 0
  let isOver = false
  let isLate = false
  let stopLimit: (() => void) | undefined

  function note({ content, isError, metadata }: ToolResult): void {
    const spoken = content.filter(({ type }) => type !== 'question')
    output.add({ content: spoken, warnings: metadata?.warnings ?? [] })
    hasFailed ||= isError
  }

  function conclude(last: ToolResult, behind: readonly ContentBlock[] = []): ToolResult {
    isOver = true
    const { content, warnings } = output.take()
    const outcome = hasFailed && !last.isError ? { outcome: 'failed' as const } : {}
    return withStatus(
      {
        ...last,
        content: [...content, ...behind],
        isError: hasFailed,
        metadata: { ...last.metadata, ...outcome, ...(warnings.length > 0 && { warnings }) },
      },
      'stopped',
    )
  }

  /** Ends the call. `behind` is the question without an answer. */
  async function end(reason: ToolResult, behind?: readonly ContentBlock[]): Promise<ToolResult> {
    isOver = true
    note(describeEndedCall(reason, await live.abort().catch(() => undefined)))
    return conclude(reason, behind)
  }

  async function createInput(
    response: ToolResult,
    questions: readonly FoundQuestion[],
  ): Promise<LiveInput | { ended: ToolResult }> {
    const isFree = questions.length === 0
    interactions += 1
    if (isFree) inputs += 1
    const asked = await askQuestions(isFree ? [createInputQuestion(response, inputs)] : questions, {
      ask: withKnown(
        run.answers ?? {},
        (isFree ? run.askInput : undefined) ?? run.ask ?? answerForNobody,
      ),
      source: { kind: 'question', call: run.call },
      signal,
    })
    if (asked.kind === 'answers')
      return isFree ? { input: Object.values(asked.answers)[0] ?? '' } : { answers: asked.answers }
    const { request, answer } = asked
    const reason = describeUnanswered(request, answer)
    const isOpen = reason.metadata?.outcome === 'unanswered'
    return { ended: await end(reason, isOpen ? [{ type: 'question', question: request }] : []) }
  }

  /** Gives the tool its time once more. */
  function restartLimit(): void {
    stopLimit = limitTime(timeoutMs, () => (isLate = true))
  }

  async function play(): Promise<ToolResult> {
    let response = live.started
    restartLimit()
    let pauseMs = FIRST_PAUSE_MS
    for (;;) {
      const { status, questions, warnings } = readLiveResponse(response)
      note(response)
      output.add({ content: [], warnings })
      switch (status) {
        case 'stopped':
          // The caller who aborted only knows that the call did not finish.
          if (!signal.aborted || response.isError) return conclude(response)
          return await end(CANCELLED)
        case 'running': {
          if (signal.aborted) return await end(CANCELLED)
          if (isLate) return await end(tooLong(timeoutMs))
          const isNews = response.content.length > 0
          pauseMs = isNews ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, MAX_PAUSE_MS)
          await pause(pauseMs, signal)
          response = await live.fetch({ signal })
          break
        }
        case 'waiting': {
          if (interactions === MAX_LIVE_INTERACTIONS)
            return await end(createTooManyInteractionsResult(run.call.name, interactions))
          stopLimit?.()
          const input = await createInput(response, questions)
          if ('ended' in input) return input.ended
          restartLimit()
          response = await live.apply(input, { signal })
        }
      }
    }
  }

  try {
    return await play()
  } finally {
    stopLimit?.()
    if (!isOver) await live.abort().catch(() => undefined)
  }
}

const CANCELLED = createFailure('The call was cancelled.', 'cancelled')

function withKnown(answers: Answers, ask: AnswerQuestion): AnswerQuestion {
  return async (request, context) => {
    const known = Object.hasOwn(answers, request.id) ? answers[request.id] : undefined
    return known === undefined ? await ask(request, context) : { action: 'accept', value: known }
  }
}

const answerForNobody: AnswerQuestion = async () => ({ action: 'cancel', reason: 'nobody' })

function tooLong(ms: number): ToolResult {
  const text = `The tool did not finish and asked no question within ${ms / 1000} s. Give it less work, or a longer time limit.`
  return createFailure(text, 'timeout')
}

/** Ends early with the signal. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
  })
}

const STANDS = 'The call was ended; its effects remain.'

/** Returns the result of an ended stateful call: the reason, a note that its effects remain, and its last output. */
export function describeEndedCall(reason: ToolResult, lastWords?: ToolResult): ToolResult {
  const { content = [], metadata } = lastWords ?? {}
  const whole = [...reason.content, { type: 'text', text: STANDS } as const, ...content]
  return withWarnings({ ...reason, content: whole }, { after: metadata?.warnings ?? [] })
}

/** Returns the reason for ending a stateful call that received too many inputs. */
export function createTooManyInteractionsResult(tool: string, count: number): ToolResult {
  const most = count.toLocaleString('en')
  return createFailure(
    `The tool ${quoteName(tool)} received ${most} inputs or answers, the maximum for one stateful call.`,
  )
}
