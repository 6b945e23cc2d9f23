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
  isSecret,
  isJsonObject,
} from '@toolblocks/protocol'
import { isLocalReference, mapSchema, quoteName } from '@toolblocks/protocol/internal'
import { compileSchema } from '@toolblocks/schema-check'
import { describeValidationError } from './questions/prepare-question.ts'

/** A question for a model: a text, and the JSON Schema of the answer. */
export interface ModelQuestion {
  /** The complete question as text. */
  text: ModelText
  /** The same as blocks, for a model that accepts more than text: the blocks before the question, then the question. */
  blocks: readonly ContentBlock[]
  schema: JsonSchema
  /** The model settings of the question's route. */
  settings?: unknown
}

/** A model that can answer questions. It returns the JSON value of a structured response. */
export type AskModel = (
  question: ModelQuestion,
  options: { signal: AbortSignal },
) => Promise<unknown>

/** Options of a model that answers questions. */
interface ModelAnswersOptions {
  model: AskModel
  /** Formats the blocks before and after the question. */
  formatBlocks: FormatBlocks
  /** How often an invalid response is sent back with its problems. Default: 2. */
  retries?: number
}

const RETRIES = 2

/**
 * Creates a port through which a model answers questions. The model receives everything before them, and the tool's text after the last one. The
 * response must match `{"answer": …}`. An invalid one is sent back with its problems; if none is valid, the answer is `cancel` with reason
 * `failed`. Secrets and pages to visit are refused: `cancel` with reason `nobody`.
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
    const message = `the model answered "${request.id}" ${retries + 1} times, and no answer was valid: ${describeValidationError(request, feedback)}`
    return { action: 'cancel', reason: 'failed', message }
  }
}

/** Keywords that apply to the complete schema or hold its definitions. They stay at the root. */
const OF_THE_ROOT = ['$schema', '$defs', 'definitions']

const ANSWER = '#/properties/answer'

/**
 * Returns the schema of `{"answer": …}`. It is the same for every question of a kind and has no id, so that prompts can be cached. References keep
 * their targets.
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
    lines.length === 0 ? [] : ['The last response did not match the schema:', ...lines, '']
  const promptLines = [
    ...wrong,
    `${whoAsks(source)} needs input before it can continue. It asks:`,
    '',
    text,
  ]
  return [{ type: 'text', text: promptLines.join('\n') }]
}

/** Text after the question stays after it and is marked as separate. */
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
