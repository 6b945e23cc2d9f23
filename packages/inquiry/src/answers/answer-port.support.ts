import type {
  Answer,
  AnswerQuestion,
  AskPorts,
  InputRequest,
  InquiryEvent,
  JsonValue,
  Problem,
  QuestionContext,
  QuestionSource,
} from '@toolblocks/protocol'
import type { QuestionRoute } from '../questions/routes.ts'
import { createAnswerPort } from './create-answer-port.ts'

export const number: InputRequest = {
  id: 'limit',
  text: 'How many?',
  schema: { type: 'integer', minimum: 1 },
}
export const call = { id: 'c', name: 't', arguments: {} }

/** The answer to a question, and the observed calls. */
export interface AskedQuestion {
  answer: Answer
  events: InquiryEvent[]
  warnings: Problem[]
  user: QuestionContext[]
  assistant: QuestionContext[]
}

interface Setting {
  route?: QuestionRoute
  user?: (JsonValue | Answer)[]
  assistant?: (JsonValue | Answer)[]
  source?: QuestionSource
  blocks?: QuestionContext['blocks']
}

function isAnswer(value: JsonValue | Answer): value is Answer {
  return typeof value === 'object' && value !== null && 'action' in value
}

function port(values: (JsonValue | Answer)[], seen: QuestionContext[]): AnswerQuestion {
  const rest = values.values()
  return async (_request, context) => {
    seen.push(context)
    const value = rest.next().value ?? null
    return isAnswer(value) ? value : { action: 'accept', value }
  }
}

/** Asks a question through a port with these answers. */
export async function ask(request: InputRequest, setting: Setting): Promise<AskedQuestion> {
  const events: InquiryEvent[] = []
  const warnings: Problem[] = []
  const user: QuestionContext[] = []
  const assistant: QuestionContext[] = []
  const ports: AskPorts = {
    ...(setting.user && { user: port(setting.user, user) }),
    ...(setting.assistant && { assistant: port(setting.assistant, assistant) }),
  }
  const answerPort = createAnswerPort({
    ports,
    routes: setting.route ? { [request.id]: setting.route } : {},
    callId: 'c',
    record: (event) => void events.push(event),
    warn: (problem) => void warnings.push(problem),
  })
  const source = setting.source ?? { kind: 'question', call }
  const signal = new AbortController().signal
  const answer = await answerPort(request, { blocks: setting.blocks ?? [], source, signal })
  return { answer, events, warnings, user, assistant }
}

export const accept = (value: JsonValue): Answer => ({ action: 'accept', value })
export const NOBODY: Answer = { action: 'cancel', reason: 'nobody' }
