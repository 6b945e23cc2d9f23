import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { META_ERROR, META_WIRE } from '@toolblocks/protocol/internal'

/**
 * Converts a document of the older dialect (`{"type":"success"|"error"|"needs_input", …}`) into one with a `content` array; `undefined` if a
 * required field is missing. Unknown fields go to `_meta["toolblocks/wire"]`.
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
  if (!schema || !(typeof before === 'string' || before === null || before === undefined))
    return undefined
  // This dialect writes an absent default as `null`.
  const defaults = preselected !== undefined && preselected !== null && { default: preselected }
  const questionBlock = { type: 'question', question: { ...asked, schema, ...defaults } }
  return {
    content: before ? [textBlock(before), questionBlock] : [questionBlock],
    ...keptFields(rest),
  }
}

function textBlock(text: string): JsonObject {
  return { type: 'text', text }
}

function keptFields(rest: JsonObject, meta: JsonObject = {}): JsonObject {
  const kept = Object.keys(rest).length === 0 ? meta : { ...meta, [META_WIRE]: rest }
  return Object.keys(kept).length === 0 ? {} : { _meta: kept }
}

/**
 * Returns the JSON Schema of an answer in the older dialect. It has two shapes: `"Boolean"`, `"Text"`, `{"Select": {"options": […]}}`, and
 * `{"type": "boolean" | "text" | "select" | "secret", …}`.
 */
function answerSchema(answerType: unknown): JsonObject | undefined {
  if (typeof answerType === 'string') return getSchema(answerType, {})
  if (!isJsonObject(answerType)) return undefined
  if (typeof answerType['type'] === 'string') return getSchema(answerType['type'], answerType)
  const [name, ...others] = Object.keys(answerType)
  const details = name === undefined ? undefined : answerType[name]
  const isTagged = name !== undefined && others.length === 0 && isJsonObject(details)
  return isTagged ? getSchema(name, details) : undefined
}

function getSchema(name: string, { options }: JsonObject): JsonObject | undefined {
  switch (name.toLowerCase()) {
    case 'boolean':
      return { type: 'boolean' }
    case 'text':
      return { type: 'string' }
    case 'secret':
      return { type: 'string', format: 'password', writeOnly: true }
    case 'select':
      return selectSchema(options)
    default:
      return undefined
  }
}

function selectSchema(options: unknown): JsonObject | undefined {
  if (!Array.isArray(options)) return undefined
  const choices = options.map((option): JsonObject =>
    isJsonObject(option) ? option : { value: option },
  )
  if (choices.some(({ value }) => typeof value !== 'string')) return undefined
  if (choices.every(({ description }) => typeof description !== 'string')) {
    return { type: 'string', enum: choices.map(({ value }) => value) }
  }
  return {
    type: 'string',
    oneOf: choices.map(({ value, description }) => ({
      const: value,
      title: value,
      ...(typeof description === 'string' && { description }),
    })),
  }
}
