import {
  type InputRequest,
  isSecret,
  type JsonValue,
  type Problem,
  isJsonObject,
} from '@toolblocks/protocol'
import { parseJson, splitPointer } from '@toolblocks/protocol/internal'
import type { CheckValue } from '@toolblocks/schema-check'

/** The value that a text means, or why no fitting value was found. */
export type ReadTypedAnswer = { ok: true; value: JsonValue } | { ok: false; message: string }

/** Reads typed text by the question's schema: as text if that fits, otherwise as JSON. Of choices that look alike, JSON decides. */
export async function readAnswer(text: string, request: InputRequest): Promise<ReadTypedAnswer> {
  const { compileSchema } = await import('@toolblocks/schema-check')
  const compiled = compileSchema(request.schema)
  if (!compiled.ok) return { ok: false, message: 'the question has no valid schema' }
  const asText = compiled.check(text)
  const value = parseJson(text)
  if (asText.verdict === 'valid' && !(await isOtherChoice(value, request)))
    return { ok: true, value: text }
  const asJson = value === undefined ? asText : compiled.check(value)
  if (value !== undefined && asJson.verdict === 'valid') return { ok: true, value }
  const { problems } = wantsText(compiled.check) ? asText : asJson
  return { ok: false, message: describe(problems, request) }
}

/** Whether a value is a choice that is no text. Of the choices 1 and "1", the quotes say which is meant, as in the prompt. */
async function isOtherChoice(
  value: JsonValue | undefined,
  request: InputRequest,
): Promise<boolean> {
  if (value === undefined || typeof value === 'string') return false
  const { createQuestionForm } = await import('@toolblocks/inquiry/form')
  const form = createQuestionForm(request)
  if (form.kind !== 'value' || form.field.input.kind !== 'choice') return false
  return form.field.input.choices.some((choice) => choice.value === value)
}

/** Whether the schema accepts text here but not this content. */
function wantsText(check: CheckValue): boolean {
  return !check('').problems.some(({ path, code }) => path === '' && code === 'type')
}

function describe(problems: readonly Problem[], request: InputRequest): string {
  return problems.map((problem) => describeProblem(problem, request).trim()).join('; ')
}

/** Describes the problem of an answer. A typed secret, or a value that contains one, is not repeated. */
function describeProblem({ path, message, expected }: Problem, request: InputRequest): string {
  if (!isSecretAt(request, path)) return `${path} ${message}`
  const reason = expected === undefined ? 'does not fit' : `expected ${expected}`
  return `${path} ${reason}; it is a secret, so it is not shown`
}

/** Whether the value at a path is or contains a secret. In a form with a secret, a path that the schema does not describe counts as one. */
function isSecretAt(request: InputRequest, path: string): boolean {
  if (!isSecret(request)) return false
  let { id, schema }: { id: string; schema: unknown } = request
  for (const step of splitPointer(path)) {
    if (!isJsonObject(schema) || isMarkedSecret(schema)) return true
    const { properties, items } = schema
    if (isJsonObject(properties) && Object.hasOwn(properties, step)) {
      id = step
      schema = properties[step]
    } else schema = items
  }
  return typeof schema === 'boolean' || isJsonObject(schema) ? isSecret({ id, schema }) : true
}

function isMarkedSecret({ format, writeOnly }: Readonly<Record<string, unknown>>): boolean {
  return format === 'password' || writeOnly === true
}
