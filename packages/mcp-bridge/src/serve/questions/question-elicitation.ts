import { randomUUID } from 'node:crypto'
import {
  type Answer,
  type InputRequest,
  isJsonObject,
  isJsonValue,
  isSecret,
  type JsonObject,
  type QuestionContext,
} from '@toolblocks/protocol'
import { readForm, toForm, type QuestionForm } from './question-form.ts'
import { toMessage } from './question-message.ts'

/** What a client can ask its user. */
export interface ClientModes {
  form: boolean
  url: boolean
}

/** What a client said that it can ask; a bare `elicitation` means forms. */
export function modesOf(capabilities: unknown): ClientModes {
  const elicitation = isJsonObject(capabilities) ? capabilities['elicitation'] : undefined
  if (!isJsonObject(elicitation)) return { form: false, url: false }
  const { form, url } = elicitation
  return { form: form !== undefined || url === undefined, url: url !== undefined }
}

/** A question in MCP's words, and how its answer is read. */
export interface AskedElicitation {
  params: JsonObject
  form?: QuestionForm
}

/** The question in MCP's words, or why it cannot be put. */
export function toElicitation(
  request: InputRequest,
  context: QuestionContext,
  modes: ClientModes,
): AskedElicitation | Answer {
  const message = toMessage(request, context)
  if (request.url !== undefined)
    return modes.url
      ? { params: { mode: 'url', message, url: request.url, elicitationId: randomUUID() } }
      : nobody('the client cannot send anybody to a page')
  if (isSecret(request)) return nobody('MCP does not let a form ask for a secret')
  if (!modes.form) return nobody('the client cannot ask its user')
  const form = toForm(request)
  return { params: { mode: 'form', message, requestedSchema: form.schema }, form }
}

function nobody(message: string): Answer {
  return { action: 'cancel', reason: 'nobody', message }
}

/** The answer to the question out of an `ElicitResult`. */
export function readAnswer(
  { action, content }: JsonObject,
  form: QuestionForm | undefined,
): Answer {
  switch (action) {
    case 'accept': {
      const value = form ? readForm(isJsonObject(content) ? content : {}, form) : true
      return isJsonValue(value) ? { action, value } : { action: 'cancel', reason: 'wrong-answer' }
    }
    case 'decline':
      return { action }
    default:
      return { action: 'cancel', reason: 'user' }
  }
}
