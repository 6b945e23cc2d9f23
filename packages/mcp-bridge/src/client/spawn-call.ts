import {
  type Answer,
  type ContentBlock,
  createErrorResult,
  createSuccessResult,
  type InputRequest,
  type LiveCall,
  type Progress,
  type Status,
  type ToolContext,
  type ToolResult,
  withStatus,
} from '@toolblocks/protocol'
import { type LiveInput } from '@toolblocks/protocol/internal'

/** Milliseconds that `fetch` waits for news. */
const WAIT_MS = 1000

/** Runs a call to its end, even if no caller waits for it. */
export type RunCall = (context: ToolContext) => Promise<ToolResult>

interface OpenQuestion {
  request: InputRequest
  answer: (answer: Answer) => void
}

/**
 * Keeps a call of a server alive. It runs without a waiting caller, reports its progress, and waits when the server asks something; its last result
 * is the call's. It ends with `abort`, not with the call that started it.
 */
export function spawnCall(run: RunCall, context: ToolContext): LiveCall {
  const ending = new AbortController()
  let news: ContentBlock[] = []
  let asked: OpenQuestion | undefined
  let end: ToolResult | undefined
  let hasTold = false
  let wake: (() => void) | undefined

  async function ask(request: InputRequest, signal: AbortSignal): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    asked = { request, answer: resolve }
    signal.addEventListener('abort', () => resolve({ action: 'cancel', reason: 'aborted' }), {
      once: true,
    })
    wake?.()
    const answer = await promise
    asked = undefined
    return answer
  }

  const running = run({
    ...context,
    signal: ending.signal,
    onProgress: (progress) => {
      news.push({ type: 'text', text: describeProgress(progress) })
      wake?.()
    },
    ask: async (request, { signal }) => await ask(request, signal),
  }).then((result) => {
    end = result
    wake?.()
  })

  function take(): ToolResult {
    const content = news
    news = []
    if (end && !hasTold) {
      hasTold = true
      return withStatus({ ...end, content: [...content, ...end.content] }, 'stopped')
    }
    if (end) return withStatus(createSuccessResult(content), 'stopped')
    const status: Status = asked ? 'waiting' : 'running'
    const question = asked ? [{ type: 'question' as const, question: asked.request }] : []
    return withStatus(createSuccessResult([...content, ...question]), status)
  }

  async function waitForNews(signal: AbortSignal): Promise<void> {
    if (news.length > 0 || asked || end || signal.aborted) return
    await new Promise<void>((resolve) => {
      const stop = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', stop)
        resolve()
      }
      const timer = setTimeout(stop, WAIT_MS)
      wake = stop
      signal.addEventListener('abort', stop, { once: true })
    })
  }

  async function apply(input: LiveInput, { signal }: { signal: AbortSignal }): Promise<ToolResult> {
    if (end) return withStatus(createErrorResult('It has ended already.'), 'stopped')
    if (!('answers' in input) || !asked) {
      const why = asked ? 'It waits for an answer.' : 'It takes no input while it runs.'
      return withStatus(createErrorResult(why), asked ? 'waiting' : 'running')
    }
    const { request, answer } = asked
    if (Object.hasOwn(input.answers, request.id)) {
      asked = undefined
      answer({ action: 'accept', value: input.answers[request.id] ?? null })
    }
    await waitForNews(signal)
    return take()
  }

  return {
    started: take(),
    fetch: async ({ signal }) => {
      await waitForNews(signal)
      return take()
    },
    apply,
    abort: async () => {
      ending.abort()
      await running
      return take()
    },
  }
}

function describeProgress({ progress, total, message }: Progress): string {
  const count = progress === undefined ? '' : `${progress}${total === undefined ? '' : `/${total}`}`
  return [count, message].filter((part) => part !== undefined && part !== '').join(' ')
}
