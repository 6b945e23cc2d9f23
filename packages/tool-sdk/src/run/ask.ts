import {
  type Answers,
  type InputRequest,
  type JsonValue,
  booleanQuestion,
  selectQuestion,
  textQuestion,
} from '@toolblocks/protocol'
import { readSchema } from '../schemas/read-schema.ts'
import type { InputOf, Schema } from '../schemas/schema.ts'

/**
 * Asks a person, or a model, what a tool needs to know. Each gives the answer when it is there; else the run ends here, with the question and everything
 * shown so far, and the tool is started again with the answer. What stands before a question runs again, so act after the last one.
 * `id` is unique within the tool; `text` is one line; `default` is preselected, never taken unasked.
 */
export interface Ask {
  /** Yes or no. */
  boolean(id: string, text: string, options?: { readonly default?: boolean }): boolean
  /** One of several texts. */
  select<const Option extends string>(
    id: string,
    text: string,
    options: readonly Option[],
    more?: { readonly default?: Option },
  ): Option
  /** A text. An id such as `token` or `api_key` makes it a secret. */
  text(id: string, text: string, options?: { readonly default?: string }): string
  /** Anything that a schema describes; a flat object is asked for as a form. The host has checked the answer. */
  json<const Given extends Schema>(
    id: string,
    text: string,
    schema: Given,
    options?: { readonly default?: InputOf<Given> & JsonValue },
  ): InputOf<Given>
}

/** Makes the questions of one run; `onAsk` learns of the one that ends it. */
export function createAsk(answers: Answers, onAsk: (asked: QuestionAsked) => void): Ask {
  function answer<Value extends JsonValue>(
    request: InputRequest,
    expected: string,
    is: (value: JsonValue) => value is Value,
  ): Value {
    const { id } = request
    const value = Object.hasOwn(answers, id) ? answers[id] : undefined
    if (value === undefined) {
      const asked = new QuestionAsked(request)
      onAsk(asked)
      throw asked
    }
    if (is(value)) return value
    const got = JSON.stringify(value)
    throw new Error(`the answer to ${JSON.stringify(id)} is ${got}; expected ${expected}`)
  }

  return {
    boolean: (id, text, options) =>
      answer(booleanQuestion({ id, text, ...options }), 'true or false', isBoolean),
    select: <const Option extends string>(
      id: string,
      text: string,
      options: readonly Option[],
      more?: { readonly default?: Option },
    ) =>
      answer(
        selectQuestion({ id, text, options, ...more }),
        `one of ${options.join(', ')}`,
        (value): value is Option => options.some((option) => option === value),
      ),
    text: (id, text, options) => answer(textQuestion({ id, text, ...options }), 'a text', isString),
    json: <const Given extends Schema>(
      id: string,
      text: string,
      given: Given,
      options?: { readonly default?: InputOf<Given> & JsonValue },
    ) => {
      const { schema } = readSchema(given, `the question ${JSON.stringify(id)}`)
      const value = answer({ id, text, schema, ...options }, 'any JSON', isAny)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the host has checked it by the schema
      return value as InputOf<Given>
    },
  }
}

const isBoolean = (value: JsonValue): value is boolean => typeof value === 'boolean'

const isString = (value: JsonValue): value is string => typeof value === 'string'

const isAny = (value: JsonValue): value is JsonValue => value !== undefined

/** Ends a run that needs an answer. Whoever catches it changes nothing: the call ends with the question all the same. */
export class QuestionAsked extends Error {
  override readonly name = 'QuestionAsked'
  readonly request: InputRequest

  constructor(request: InputRequest) {
    super(`the tool asks ${JSON.stringify(request.id)} and is started again with the answer`)
    this.request = request
  }
}
