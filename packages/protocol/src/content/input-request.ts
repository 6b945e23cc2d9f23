import {
  type JsonSchema,
  type JsonValue,
  has,
  isJsonObject,
  isString,
  mayHave,
} from '../json/json.ts'
import { isJsonSchema, isJsonValue } from '../json/is-json.ts'

/** What a tool or server asks. */
export interface InputRequest {
  /** Unique within one call; the answer comes back under it. */
  id: string
  /** A label of one line. Material to decide by belongs in the blocks before the question. */
  text: string
  /** What an answer must look like. */
  schema: JsonSchema
  /** Preselected for a person, never taken unasked. */
  default?: JsonValue
  /** The question is answered at this web page (URL-mode elicitation); never shown to a model. */
  url?: string
}

/** Says whether a value is an `InputRequest`. The schema's inside is not checked. */
export function isInputRequest(value: unknown): value is InputRequest {
  return (
    isJsonObject(value) &&
    has(value, 'id', isString) &&
    has(value, 'text', isString) &&
    has(value, 'schema', isJsonSchema) &&
    mayHave(value, 'default', isJsonValue) &&
    mayHave(value, 'url', isString)
  )
}

/** Makes a question that is answered with `true` or `false`. */
export function booleanQuestion(question: {
  id: string
  text: string
  default?: boolean
}): InputRequest {
  return { ...question, schema: { type: 'boolean' } }
}

/** Makes a question that is answered with one of `options`, at least one. */
export function selectQuestion(question: {
  id: string
  text: string
  options: readonly string[]
  default?: string
}): InputRequest {
  const { options, ...request } = question
  return { ...request, schema: { type: 'string', enum: [...options] } }
}

/** Makes a question that is answered with a text. */
export function textQuestion(question: {
  id: string
  text: string
  default?: string
}): InputRequest {
  return { ...question, schema: { type: 'string' } }
}
