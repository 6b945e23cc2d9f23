import type {
  AnswerQuestion,
  ContentBlock,
  FormatBlocks,
  InputRequest,
  JsonSchema,
  JsonValue,
  ModelText,
  Problem,
} from '@toolblocks/protocol'
import { compileSchema } from '@toolblocks/schema-check'
import { isSecret } from '../questions/is-secret.ts'

/** What a model is asked: words, and the JSON Schema its answer must fit. */
export interface ModelQuestion {
  text: ModelText
  schema: JsonSchema
}

/** A model as far as questions need one: it answers with the JSON value of a structured response. */
export type AskModel = (question: ModelQuestion, signal: AbortSignal) => Promise<unknown>

/** How a model answers. */
export interface ModelAnswersOptions {
  model: AskModel
  /** Shows the blocks before the question. */
  formatBlocks: FormatBlocks
  /** How often a wrong response is sent back with its problems. Default: 2. */
  retries?: number
}

const RETRIES = 2

/**
 * Has a model answer questions, with everything that stood before them. The response must fit `{"answer": …}`; a wrong one
 * is sent back with its problems. Secrets and pages to visit are refused: `cancel` with reason `nobody`.
 */
export function createModelAnswers(options: ModelAnswersOptions): AnswerQuestion {
  return async (request, { blocks, problems = [], signal }) => {
    if (isSecret(request) || request.url !== undefined)
      return { action: 'cancel', reason: 'nobody' }
    const schema = answerSchema(request.schema)
    const compiled = compileSchema(schema)
    if (!compiled.ok) return { action: 'cancel', reason: 'nobody' }
    let feedback: readonly Problem[] = problems
    for (let attempt = 0; attempt <= (options.retries ?? RETRIES); attempt++) {
      if (signal.aborted) return { action: 'cancel', reason: 'aborted' }
      const text = options.formatBlocks([...blocks, ...phrase(request, feedback)])
      const response = await options.model({ text, schema }, signal)
      const checked = compiled.check(response)
      if (checked.verdict === 'valid' && isAnswer(response))
        return { action: 'accept', value: response.answer }
      feedback = checked.problems
    }
    return { action: 'cancel', reason: 'nobody' }
  }
}

/** What a schema refers to from its root, or says of all of itself. */
const OF_THE_ROOT = new Set(['$schema', '$defs', 'definitions'])

/** The same for every question of a kind, and without its id, so that prompts can be cached. */
function answerSchema(schema: JsonSchema): JsonSchema {
  const ofTheRoot =
    typeof schema === 'boolean'
      ? []
      : Object.entries(schema).filter(([keyword]) => OF_THE_ROOT.has(keyword))
  return {
    ...Object.fromEntries(ofTheRoot),
    type: 'object',
    properties: { answer: schema },
    required: ['answer'],
    additionalProperties: false,
  }
}

function phrase({ text }: InputRequest, feedback: readonly Problem[]): readonly ContentBlock[] {
  const lines = feedback.map(({ path, message }) => `- ${path || '/'}: ${message}`)
  const wrong =
    lines.length === 0 ? [] : ['The last response did not fit the schema:', ...lines, '']
  const words = [...wrong, 'A tool needs input before it can go on. It asks:', '', text]
  return [{ type: 'text', text: words.join('\n') }]
}

function isAnswer(value: unknown): value is { answer: JsonValue } {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'answer')
}
