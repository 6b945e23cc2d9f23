import { requireArguments } from '../text/require-arguments.ts'
import {
  type JsonSchema,
  type JsonValue,
  has,
  isJsonObject,
  isString,
  mayHave,
} from '../json/json.ts'
import { isJsonSchema, isJsonValue } from '../json/is-json.ts'

/** A question of a tool or a server. */
export interface InputRequest {
  /** Unique within one call. The answer has the same id. */
  id: string
  /** A label of one line. Context for the decision belongs in the blocks before the question. */
  text: string
  /** The JSON Schema of the answer. */
  schema: JsonSchema
  /** Preselected for a person. Never used without asking. */
  default?: JsonValue
  /** The question is answered at this web page (URL-mode elicitation). Never shown to a model. */
  url?: string
}

/** Whether a value is an `InputRequest`. The inside of the schema is not checked. */
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

/** Creates a question with the answer `true` or `false`. */
export function booleanQuestion(question: {
  id: string
  text: string
  default?: boolean
}): InputRequest {
  return { ...question, schema: { type: 'boolean' } }
}

/** Creates a question whose answer is one of `options`, at least one. */
export function selectQuestion(question: {
  id: string
  text: string
  options: readonly string[]
  default?: string
}): InputRequest {
  requireArguments('selectQuestion(question)', [
    question,
    { id: 'string', text: 'string', options: 'array' },
  ])
  const { options, ...request } = question
  return { ...request, schema: { type: 'string', enum: [...options] } }
}

/** Creates a question whose answer is a text. */
export function textQuestion(question: {
  id: string
  text: string
  default?: string
}): InputRequest {
  return { ...question, schema: { type: 'string' } }
}
