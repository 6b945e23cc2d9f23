import {
  type Answers,
  booleanQuestion,
  type InputRequest,
  type JsonValue,
  selectQuestion,
  textQuestion,
} from '@toolblocks/protocol'
import { readSchema } from '../schemas/read-schema.ts'
import type { InputOf, Schema } from '../schemas/schema.ts'
import { QuestionAsked } from './question-asked.ts'

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
  function answer(
    request: InputRequest,
    expected: string,
    is: (value: JsonValue) => boolean,
  ): unknown {
    const value = Object.hasOwn(answers, request.id) ? answers[request.id] : undefined
    if (value === undefined) {
      const asked = new QuestionAsked(request)
      onAsk(asked)
      throw asked
    }
    if (is(value)) return value
    throw new Error(
      `the answer to ${JSON.stringify(request.id)} is ${JSON.stringify(value)}; expected ${expected}`,
    )
  }

  return {
    boolean: (id, text, options) =>
      answer(
        booleanQuestion({ id, text, ...options }),
        'true or false',
        (value) => typeof value === 'boolean',
      ) === true,
    select: (id, text, options, more) => {
      const request = selectQuestion({ id, text, options, ...more })
      const chosen = answer(request, `one of ${options.join(', ')}`, (value) =>
        options.some((option) => option === value),
      )
      // The one of the options that was answered, so that its type is theirs.
      return options.find((option) => option === chosen) ?? options[0]!
    },
    text: (id, text, options) =>
      String(
        answer(
          textQuestion({ id, text, ...options }),
          'a text',
          (value) => typeof value === 'string',
        ),
      ),
    json: (id, text, given, options) => {
      const { schema } = readSchema(given, `the question ${JSON.stringify(id)}`)
      return answer({ id, text, schema, ...options }, 'what its schema says', () => true) as never
    },
  }
}
