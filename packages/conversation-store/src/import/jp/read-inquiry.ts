import {
  field,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  textOfValue,
} from '@toolblocks/protocol'
import type { ImportedEvent } from '../imported-event.ts'
import { asJson } from '../sources/source.ts'
import { toObject } from './to-object.ts'

/** The call and the question that an inquiry is of: `<call id>.<question id>`, later with an attempt behind it. */
export interface InquiryIds {
  callId: string
  questionId: string
}

/** Ids may have dots themselves: a call that is known decides. */
export function splitInquiryId(id: string, calls: ReadonlySet<string>): InquiryIds {
  for (let dot = id.lastIndexOf('.'); dot > 0; dot = id.lastIndexOf('.', dot - 1)) {
    const callId = id.slice(0, dot)
    if (calls.has(callId)) return { callId, questionId: id.slice(dot + 1) || id }
  }
  const dot = id.indexOf('.')
  return dot === -1
    ? { callId: id, questionId: id }
    : { callId: id.slice(0, dot), questionId: id.slice(dot + 1) || id }
}

/** A question as it was asked. JP does not say who was asked, so it reads as asked of a person. */
export function readQuestion(
  record: JsonObject,
  id: string,
  { callId, questionId }: InquiryIds,
): ImportedEvent {
  const question = toObject(field(record, 'question'))
  const fallback = field(question, 'default')
  return {
    type: 'question',
    id,
    callId,
    question: {
      id: questionId,
      text: textOfValue(field(question, 'text')),
      schema: schemaOf(field(question, 'answer_type')),
      ...(fallback !== undefined && fallback !== null && { default: asJson(fallback) }),
    },
    asked: 'user',
  }
}

/** `{"type": "boolean"}` as stored, `"Boolean"` and `{"Select": {…}}` as tools print it. */
function schemaOf(answerType: unknown): JsonSchema {
  const type = typeof answerType === 'string' ? answerType : field(toObject(answerType), 'type')
  const select = toObject(field(toObject(answerType), 'Select'))
  const options = field(toObject(answerType), 'options') ?? field(select, 'options')
  if (Array.isArray(options)) return { enum: options.map(valueOf) }
  if (type === 'boolean' || type === 'Boolean') return { type: 'boolean' }
  return { type: 'string' }
}

function valueOf(option: unknown): unknown {
  return isJsonObject(option) ? field(option, 'value') : option
}
