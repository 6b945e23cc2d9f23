import { randomUUID } from 'node:crypto'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import {
  type Answer,
  type AnswerQuestion,
  type InputRequest,
  isJsonObject,
  isJsonValue,
  isSecret,
  type JsonObject,
  type QuestionContext,
} from '@toolblocks/protocol'
import { readForm, toForm, type QuestionForm } from './question-form.ts'
import { toMessage } from './question-message.ts'

/** A person is given all the time. */
const NEVER_MS = 2 ** 31 - 1

/** What a client can ask its user. */
export interface ClientModes {
  form: boolean
  url: boolean
}

/** What a client said that it can ask; a bare `elicitation` means forms. */
export function modesOf(server: Server): ClientModes {
  const { elicitation } = server.getClientCapabilities() ?? {}
  if (!elicitation) return { form: false, url: false }
  const { form, url } = elicitation
  return { form: form !== undefined || url === undefined, url: url !== undefined }
}

/** Asks the user of a client, through an elicitation that belongs to the request of a call. */
export function askClient(
  server: Server,
  modes: ClientModes,
  requestId: string | number,
): AnswerQuestion {
  async function elicit(params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const options = { relatedRequestId: requestId, timeout: NEVER_MS, signal }
    return await server.request({ method: 'elicitation/create', params }, ResultSchema, options)
  }
  return async (request, context) => {
    const asked = toElicitation(request, context, modes)
    if ('action' in asked) return asked
    try {
      return readAnswer(await elicit(asked.params, context.signal), asked.form)
    } catch (error) {
      if (context.signal.aborted) return { action: 'cancel', reason: 'aborted' }
      const reason = error instanceof Error ? error.message : String(error)
      return { action: 'cancel', reason: 'failed', message: `the client did not ask: ${reason}` }
    }
  }
}

interface AskedElicitation {
  params: JsonObject
  form?: QuestionForm
}

/** The question in MCP's words, or why it cannot be put. */
function toElicitation(
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

function readAnswer({ action, content }: JsonObject, form: QuestionForm | undefined): Answer {
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
