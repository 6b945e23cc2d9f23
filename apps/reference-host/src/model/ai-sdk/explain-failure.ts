import { APICallError } from '@ai-sdk/provider'
import { field, isJsonObject } from '@toolblocks/protocol'
import { ModelError } from '@toolblocks/agent'

/** Says why a provider gave no answer: before it began, in the middle of its stream, or because it was not reached. */
export function explainFailure(error: unknown): ModelError {
  // The SDK wraps what ends a stream before its first event.
  for (let inner = error; inner instanceof Error; inner = inner.cause)
    if (inner instanceof ModelError) return inner
  if (APICallError.isInstance(error)) {
    const retryAfterMs = readRetryAfter(error.responseHeaders ?? {})
    return failed(error, error, { cause: error, retryAfterMs })
  }
  if (error instanceof Error) return broken(error.message, error)
  // A failure in the stream is plain data, in the words of the provider.
  if (!isJsonObject(error)) return broken(String(error), error)
  const given = field(error, 'error') ?? error
  const { message, statusCode, isRetryable } = isJsonObject(given) ? given : error
  if (typeof message !== 'string') return broken(JSON.stringify(error), error)
  const status = typeof statusCode === 'number' ? statusCode : undefined
  return failed({ message, statusCode: status, isRetryable: isRetryable !== false }, error)
}

interface Failure {
  message: string
  statusCode?: number | undefined
  isRetryable: boolean
}

function failed(
  { message, statusCode, isRetryable }: Failure,
  cause: unknown,
  options: { cause: unknown; retryAfterMs?: number | undefined } = { cause },
): ModelError {
  const status = statusCode === undefined ? '' : ` (HTTP ${statusCode})`
  const words = `${message || 'the provider gave no reason'}${status}`
  const code = isRetryable ? 'unavailable' : 'refused'
  return new ModelError(code, words, { ...options, status: statusCode })
}

function broken(reason: string, cause: unknown): ModelError {
  return new ModelError('unavailable', `the connection to the model broke: ${reason}`, { cause })
}

/** Milliseconds to wait: a header of OpenAI, else seconds or a date. */
function readRetryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const milliseconds = readNumber(headers['retry-after-ms'])
  if (milliseconds !== undefined) return milliseconds
  const given = headers['retry-after']
  const seconds = readNumber(given)
  if (seconds !== undefined) return seconds * 1000
  const until = Date.parse(given ?? '')
  return Number.isNaN(until) ? undefined : Math.max(0, until - Date.now())
}

function readNumber(text: string | undefined): number | undefined {
  const number = text === undefined || text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) && number >= 0 ? number : undefined
}
