import { isJsonObject, type JsonObject, META_ERROR, META_WIRE } from '@toolblocks/protocol'
import { answerSchema } from './answer-schema.ts'

/**
 * Translates a document of the older dialect (`{"type":"success"|"error"|"needs_input", …}`) into one with a `content`
 * array; `undefined` where a required field is missing. Fields without a meaning go to `_meta["toolblocks/wire"]`.
 */
export function fromOutcome({ type, ...fields }: JsonObject): JsonObject | undefined {
  switch (type) {
    case 'success':
      return fromSuccess(fields)
    case 'error':
      return fromError(fields)
    case 'needs_input':
      return fromNeedsInput(fields)
    default:
      return undefined
  }
}

function fromSuccess({ content, ...rest }: JsonObject): JsonObject | undefined {
  if (typeof content !== 'string') return undefined
  return { content: [textBlock(content)], ...keptFields(rest) }
}

function fromError({ message, trace, transient, ...rest }: JsonObject): JsonObject | undefined {
  if (typeof message !== 'string' || typeof transient !== 'boolean') return undefined
  if (!Array.isArray(trace) || !trace.every((cause) => typeof cause === 'string')) return undefined
  return {
    content: [textBlock(message)],
    isError: true,
    ...keptFields(rest, { [META_ERROR]: { transient, trace } }),
  }
}

function fromNeedsInput({ question, ...rest }: JsonObject): JsonObject | undefined {
  if (!isJsonObject(question)) return undefined
  const { pre_amble: before, answer_type: answerType, default: preselected, ...asked } = question
  const schema = answerSchema(answerType)
  if (typeof asked['id'] !== 'string' || typeof asked['text'] !== 'string') return undefined
  if (!schema || !isTextOrAbsent(before)) return undefined
  // In this dialect an absent default is written as `null`.
  const defaults = preselected !== undefined && preselected !== null && { default: preselected }
  const questionBlock = { type: 'question', question: { ...asked, schema, ...defaults } }
  return {
    content: before ? [textBlock(before), questionBlock] : [questionBlock],
    ...keptFields(rest),
  }
}

function isTextOrAbsent(value: unknown): value is string | null | undefined {
  return typeof value === 'string' || value === null || value === undefined
}

function textBlock(text: string): JsonObject {
  return { type: 'text', text }
}

function keptFields(rest: JsonObject, meta: JsonObject = {}): JsonObject {
  const kept = Object.keys(rest).length === 0 ? meta : { ...meta, [META_WIRE]: rest }
  return Object.keys(kept).length === 0 ? {} : { _meta: kept }
}
