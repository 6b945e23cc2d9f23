import {
  type Answer,
  type AskedParty,
  type InputRequest,
  type InquiryEvent,
  type JsonObject,
  type QuestionSource,
  isSecret,
  isJsonObject,
} from '@toolblocks/protocol'
import {
  type RecordedAnswer,
  isRepeatable,
  PORT_GRACE_MS,
  withinGrace,
  mapSchema,
  createNotSettledWarning,
} from '@toolblocks/protocol/internal'

/** Records an event. A question is asked only after it is recorded. */
export type RecordInquiry = (event: InquiryEvent) => void | Promise<void>

/** Records a question, and returns the function that records its answer. */
export type RecordQuestion = (
  request: InputRequest,
  asked: AskedParty,
  context: { signal: AbortSignal; more?: number; source?: QuestionSource },
) => Promise<(answer: Answer) => Promise<void>>

/** Creates the recorder of one call's questions. Each attempt has its own id. Secrets are never recorded. */
export function createQuestionLog(callId: string, record: RecordInquiry): RecordQuestion {
  const tries = new Map<string, number>()
  return async (request, asked, { signal, more = 0, source }) => {
    const keep = withRecordGrace(record, signal)
    const count = (tries.get(request.id) ?? 0) + 1
    tries.set(request.id, count)
    const id = `${callId}.${request.id}.${count}`
    const question = withoutSecrets(request)
    await keep({
      type: 'question',
      id,
      callId,
      question,
      asked,
      ...(more > 0 && { more }),
      ...(source && isRepeatable(source) && { isRepeatable: true }),
    })
    return async (answer) =>
      await keep({ type: 'answer', id, callId, ...getRecord(request, answer) })
  }
}

/** The same, but it rejects if recording does not settle after an abort, because the call is over then. */
function withRecordGrace(
  record: RecordInquiry,
  signal: AbortSignal,
): (event: InquiryEvent) => Promise<void> {
  return async (event) =>
    await withinGrace(async () => await record(event), {
      signal,
      ms: PORT_GRACE_MS,
      whenLate: () => {
        throw new Error(
          createNotSettledWarning('the recorder of questions and answers', PORT_GRACE_MS).message,
        )
      },
    })
}

function getRecord(request: InputRequest, answer: Answer): RecordedAnswer {
  switch (answer.action) {
    case 'accept':
      return isSecret(request)
        ? { action: 'accept', redacted: true }
        : { action: 'accept', value: answer.value }
    case 'decline':
      return { action: 'decline' }
    case 'cancel':
      return { action: 'cancel', reason: answer.reason }
  }
}

/** Returns a question as it may be recorded. A question for a secret loses the values that it or its schema offers. */
export function withoutSecrets(request: InputRequest): InputRequest {
  if (!isSecret(request)) return request
  const { default: _secret, schema, ...rest } = request
  return { ...rest, schema: isJsonObject(schema) ? mapSchema(schema, removeSuggestions) : schema }
}

function removeSuggestions({
  default: _default,
  examples: _examples,
  ...rest
}: JsonObject): JsonObject {
  return rest
}
