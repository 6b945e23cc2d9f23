import {
  type AnswerQuestion,
  type ContentBlock,
  type FormatBlocks,
  type InputRequest,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  type ModelText,
  type Problem,
  type QuestionSource,
  isJsonObject,
  isLocalReference,
  isSecret,
  mapSchema,
  quoteName,
} from '@toolblocks/protocol'
import { compileSchema } from '@toolblocks/schema-check'
import { describeValidationError } from './questions/prepare-question.ts'

/** What a model is asked: words, and the JSON Schema its answer must fit. */
export interface ModelQuestion {
  /** All of it in words. */
  text: ModelText
  /** The same as blocks, for a model that takes more than text: what stands before the question, and last the question. */
  blocks: readonly ContentBlock[]
  schema: JsonSchema
  /** The settings that the route of the question has for the model. */
  settings?: unknown
}

/** A model as far as questions need one: it answers with the JSON value of a structured response. */
export type AskModel = (
  question: ModelQuestion,
  options: { signal: AbortSignal },
) => Promise<unknown>

/** How a model answers. */
export interface ModelAnswersOptions {
  model: AskModel
  /** Shows the blocks before the question, and those after it. */
  formatBlocks: FormatBlocks
  /** How often a wrong response is sent back with its problems. Default: 2. */
  retries?: number
}

const RETRIES = 2

/**
 * Has a model answer questions, with everything that stood before them, and with what the tool says after the last one. The response must fit `{"answer": …}`; a wrong one
 * is sent back with its problems; when none fits, the answer is `cancel` with reason `failed`. Secrets and pages to visit are
 * refused: `cancel` with reason `nobody`.
 */
export function createModelAnswers(options: ModelAnswersOptions): AnswerQuestion {
  return async (request, { blocks, after = [], problems = [], settings, signal, source }) => {
    if (isSecret(request) || request.url !== undefined)
      return { action: 'cancel', reason: 'nobody' }
    const schema = wrapSchema(request.schema)
    const compiled = compileSchema(schema)
    if (!compiled.ok) return { action: 'cancel', reason: 'nobody' }
    let feedback: readonly Problem[] = problems
    const retries = options.retries ?? RETRIES
    for (let attempt = 0; attempt <= retries; attempt++) {
      if (signal.aborted) return { action: 'cancel', reason: 'aborted' }
      const asked = [...blocks, ...phrase(request, source, feedback), ...introduce(after, source)]
      const response = await options.model(
        {
          text: options.formatBlocks(asked),
          blocks: asked,
          schema,
          ...(settings !== undefined && { settings }),
        },
        { signal },
      )
      const checked = compiled.check(response)
      if (checked.verdict === 'valid' && isAnswer(response))
        return { action: 'accept', value: response.answer }
      feedback = checked.problems
    }
    const message = `the model answered "${request.id}" ${retries + 1} times, and no answer fitted: ${describeValidationError(request, feedback)}`
    return { action: 'cancel', reason: 'failed', message }
  }
}

/** What a schema says of all of itself, or refers to from its root; it stays there. */
const OF_THE_ROOT = ['$schema', '$defs', 'definitions']

const ANSWER = '#/properties/answer'

/**
 * The schema of `{"answer": …}`, the same for every question of a kind and without its id, so that prompts can be cached.
 * References keep what they refer to.
 */
function wrapSchema(schema: JsonSchema): JsonSchema {
  const moved = isJsonObject(schema) ? mapSchema(schema, moveReference) : {}
  const [root, own] = split(moved)
  return {
    ...root,
    type: 'object',
    properties: { answer: isJsonObject(schema) ? own : schema },
    required: ['answer'],
    additionalProperties: false,
  }
}

function split(schema: JsonObject): readonly [root: JsonObject, own: JsonObject] {
  const entries = Object.entries(schema)
  return [
    Object.fromEntries(entries.filter(([keyword]) => OF_THE_ROOT.includes(keyword))),
    Object.fromEntries(entries.filter(([keyword]) => !OF_THE_ROOT.includes(keyword))),
  ]
}

function moveReference(schema: JsonObject): JsonObject {
  const reference = schema['$ref']
  if (!isLocalReference(reference)) return schema
  const isOfRoot = OF_THE_ROOT.some((name) => reference.startsWith(`#/${name}/`))
  return isOfRoot ? schema : { ...schema, $ref: `${ANSWER}${reference.slice(1)}` }
}

function phrase(
  { text }: InputRequest,
  source: QuestionSource,
  feedback: readonly Problem[],
): readonly ContentBlock[] {
  const lines = feedback.map(({ path, message }) => `- ${path || '/'}: ${message}`)
  const wrong =
    lines.length === 0 ? [] : ['The last response did not fit the schema:', ...lines, '']
  const words = [...wrong, `${whoAsks(source)} needs input before it can go on. It asks:`, '', text]
  return [{ type: 'text', text: words.join('\n') }]
}

/** What follows the question stays behind it, told apart from its words. */
function introduce(
  after: readonly ContentBlock[],
  source: QuestionSource,
): readonly ContentBlock[] {
  return after.length === 0
    ? []
    : [{ type: 'text', text: `${whoAsks(source)} says after the question:` }, ...after]
}

function whoAsks(source: QuestionSource): string {
  return source.kind === 'elicitation'
    ? `The server ${quoteName(source.server)}`
    : `The tool ${quoteName(source.call.name)}`
}

function isAnswer(value: unknown): value is { answer: JsonValue } {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'answer')
}
