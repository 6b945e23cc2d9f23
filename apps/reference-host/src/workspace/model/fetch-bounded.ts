import { AnswerError, fetchAnswer, maskBody } from '@toolblocks/mcp-bridge/internal/fetch'
import {
  MAX_ANSWER_BYTES,
  MAX_ANSWER_EVENT_BYTES,
  MAX_ANSWER_IDLE_MS,
  MAX_ANSWER_MS,
  MAX_REFUSAL_BYTES,
} from '@toolblocks/protocol/internal'
import { ModelError } from '@toolblocks/agent'

/** The limits of one response of a provider. */
export interface AnswerBudget {
  /** Bytes of the complete response, uncompressed. */
  bytes: number
  /** Bytes from one empty line to the next: an event is held in memory until it is complete. */
  eventBytes: number
  /** Milliseconds without a byte from the provider. */
  idleMs: number
  /** Milliseconds from the request to the last byte of the response. */
  totalMs: number
  /** Bytes of the body of a refusal. */
  refusalBytes: number
}

const BUDGET: AnswerBudget = {
  bytes: MAX_ANSWER_BYTES,
  eventBytes: MAX_ANSWER_EVENT_BYTES,
  idleMs: MAX_ANSWER_IDLE_MS,
  totalMs: MAX_ANSWER_MS,
  refusalBytes: MAX_REFUSAL_BYTES,
}

/**
 * Sends a request like `fetch`. A response over its budget fails with a `ModelError` before more of it is held in memory. A refusal over its budget
 * keeps only its status. A key that the provider repeats is masked. Any other answer that cannot be used fails with a `ModelError` too. A redirect is refused.
 */
export async function fetchBounded(
  input: string | URL | Request,
  init: RequestInit = {},
  budget: AnswerBudget = BUDGET,
): Promise<Response> {
  const { idleMs, totalMs } = budget
  const response = await fetchAnswer(input, init, { headMs: idleMs, idleMs, totalMs }).catch(
    (error: unknown) => {
      throw explain(error)
    },
  )
  const { body, status, statusText, headers } = response
  if (status >= 300 && status < 400) {
    await body?.cancel()
    throw new ModelError(
      'refused',
      `the provider answered with HTTP ${status}, a redirect that is not followed; check base_url`,
      { status },
    )
  }
  if (!body) return response
  const { origin } = new URL(input instanceof Request ? input.url : input)
  if (!response.ok) return await readRefusal(response, body, { ...budget, origin })
  const bounded = maskLines(boundBytes(body, createCounter(budget)), origin)
  return new Response(bounded, { status, statusText, headers })
}

/** Returns the same lines without known secrets. Each is passed on when it is complete, as an event is. */
function maskLines(
  body: ReadableStream<Uint8Array>,
  origin: string,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let held: Uint8Array[] = []
  // Every byte is a character: also what is no UTF-8 stays as it is.
  const mask = (bytes: Buffer): Uint8Array<ArrayBuffer> =>
    Buffer.from(maskBody(bytes.toString('latin1'), origin), 'latin1')
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        const end = Math.max(chunk.lastIndexOf(NEWLINE), chunk.lastIndexOf(RETURN)) + 1
        if (end === 0) return void held.push(chunk)
        controller.enqueue(mask(Buffer.concat([...held, chunk.subarray(0, end)])))
        held = [chunk.subarray(end)]
      },
      flush: (controller) => controller.enqueue(mask(Buffer.concat(held))),
    }),
  )
}

/** Explains an answer that cannot be used. */
function explain(error: unknown): unknown {
  if (!(error instanceof AnswerError)) return error
  const code = error.kind === 'too-large' ? 'refused' : 'unavailable'
  return new ModelError(code, `the provider ${error.what}`, { cause: error })
}

/** Creates the error for a response over its budget. It is not retryable, because a retry would take and cost the same again. */
function tooLarge(what: string, bytes: number): ModelError {
  return new ModelError(
    'refused',
    `${what} has more than ${bytes.toLocaleString('en')} bytes and was not read`,
  )
}

/** Counts the size and the bytes of a chunk. Returns the error if the response is over its budget. */
type Count = (chunk: Uint8Array) => ModelError | undefined

const NEWLINE = 0x0a
const RETURN = 0x0d

function createCounter({ bytes, eventBytes }: AnswerBudget): Count {
  let total = 0
  let event = 0
  let line = 0
  let last = 0
  return (chunk) => {
    total += chunk.length
    if (total > bytes) return tooLarge('the response of the model', bytes)
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      line += end - start
      event += end - start
      if (event > eventBytes) break
      const before = end > start ? chunk[end - 1] : last
      // An empty line ends an event, with every kind of line end.
      if (line === 0 || (line === 1 && before === RETURN)) event = 0
      line = 0
      start = end + 1
    }
    line += chunk.length - start
    event += chunk.length - start
    last = chunk.at(-1) ?? last
    return event > eventBytes
      ? tooLarge('an event in the response of the model', eventBytes)
      : undefined
  }
}

/** Returns the same bytes as a stream that reads on demand. It fails if there are too many bytes. */
function boundBytes(body: ReadableStream<Uint8Array>, count: Count): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream(
    {
      pull: async (controller) => {
        try {
          const { value, done } = await reader.read()
          const over = value && count(value)
          if (over) throw over
          if (value) controller.enqueue(value)
          if (done) controller.close()
        } catch (error) {
          controller.error(explain(error))
          // Closes the connection. The rest of the response is not needed.
          await reader.cancel(error).catch(() => undefined)
        }
      },
      cancel: async (reason) => await reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/** Reads the reason of a refusal. If that fails, the message is the status and why the reason was not read. */
async function readRefusal(
  { status, statusText, headers }: Response,
  body: ReadableStream<Uint8Array>,
  { refusalBytes, origin }: AnswerBudget & { origin: string },
): Promise<Response> {
  let bytes = 0
  const count: Count = (chunk) => {
    bytes += chunk.length
    return bytes > refusalBytes
      ? tooLarge('the body of the error response', refusalBytes)
      : undefined
  }
  const chunks: Uint8Array[] = []
  const reason = maskBody(statusText, origin)
  try {
    const reader = boundBytes(body, count).getReader()
    for (let { value } = await reader.read(); value; { value } = await reader.read())
      chunks.push(value)
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const failureText = [reason, error.message].filter((each) => each !== '').join('; ')
    return new Response('', { status, statusText: failureText, headers })
  }
  const text = maskBody(Buffer.concat(chunks).toString('utf8'), origin)
  return new Response(text, { status, statusText: reason, headers })
}
