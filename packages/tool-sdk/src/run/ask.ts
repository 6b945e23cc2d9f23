import {
  type Answers,
  type InputRequest,
  type JsonValue,
  booleanQuestion,
  selectQuestion,
  textQuestion,
} from '@toolblocks/protocol'
import { readSchema } from '../schemas/read-schema.ts'
import type { InferInput, ToolSchema } from '../schemas/schema.ts'

/**
 * Asks a person, or a model where the host routes questions to one. Each method returns the answer where the host has it. Otherwise the
 * run ends here: the host gets the question with everything shown so far, and starts the run again with the answer. Code before a question
 * therefore runs several times, so change things only after the last question. `id` names the question and is unique within the tool; `text` is one line;
 * `default` is the answer that is selected when the question is shown, and is never taken without a person's consent. Each method throws where
 * the answer has another type than the question asks for, and the call fails.
 */
export interface ToolQuestions {
  /** Asks for yes or no. */
  boolean(id: string, text: string, options?: { readonly default?: boolean }): boolean
  /** Asks for one of several texts. */
  select<const Option extends string>(
    id: string,
    text: string,
    options: readonly Option[],
    more?: { readonly default?: Option },
  ): Option
  /** Asks for a text. With an id such as `token` or `api_key` the host treats the answer as a secret. */
  text(id: string, text: string, options?: { readonly default?: string }): string
  /** Asks for a value that fits a schema. A host shows a form for an object without nested objects. The host checks the answer against the schema. */
  json<const Schema extends ToolSchema>(
    id: string,
    text: string,
    schema: Schema,
    options?: { readonly default?: InferInput<Schema> & JsonValue },
  ): InferInput<Schema>
}

/** Makes the questions of one run; `onAsk` learns of the one that ends it. */
export function createAsk(answers: Answers, onAsk: (asked: QuestionAsked) => void): ToolQuestions {
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
    json: <const Schema extends ToolSchema>(
      id: string,
      text: string,
      questionSchema: Schema,
      options?: { readonly default?: InferInput<Schema> & JsonValue },
    ) => {
      const { schema } = readSchema(
        questionSchema,
        `the schema of the question ${JSON.stringify(id)}`,
      )
      const value = answer({ id, text, schema, ...options }, 'any JSON', isAny)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the host has checked it by the schema
      return value as InferInput<Schema>
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
