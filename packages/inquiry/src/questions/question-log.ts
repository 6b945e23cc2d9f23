import {
  type Answer,
  type AskedParty,
  type InputRequest,
  type RecordedAnswer,
  isSecret,
} from '@toolblocks/protocol'
import { type RecordInquiry, withRecordGrace } from '../record-inquiry.ts'
import { withoutSecrets } from './without-secrets.ts'

/** Records that a question is put, and gives what records what came of it. */
export type PutQuestion = (
  request: InputRequest,
  asked: AskedParty,
  signal: AbortSignal,
) => Promise<(answer: Answer) => Promise<void>>

/** Makes what records the questions of one call, each try under an id of its own. Secrets are never recorded. */
export function createQuestionLog(callId: string, record: RecordInquiry): PutQuestion {
  const tries = new Map<string, number>()
  return async (request, asked, signal) => {
    const keep = withRecordGrace(record, signal)
    const count = (tries.get(request.id) ?? 0) + 1
    tries.set(request.id, count)
    const id = `${callId}.${request.id}.${count}`
    await keep({ type: 'question', id, callId, question: withoutSecrets(request), asked })
    return async (answer) =>
      await keep({ type: 'answer', id, callId, ...recordOf(request, answer) })
  }
}

function recordOf(request: InputRequest, answer: Answer): RecordedAnswer {
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
