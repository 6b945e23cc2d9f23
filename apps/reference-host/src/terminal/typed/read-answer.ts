import { type InputRequest, isSecret, type JsonValue, type Problem } from '@toolblocks/protocol'
import { isJsonObject, parseJson, splitPointer } from '@toolblocks/protocol/json'
import type { CheckValue } from '@toolblocks/schema-check'

/** The value a text stands for, or why it stands for none that fits. */
export type ReadAnswer = { ok: true; value: JsonValue } | { ok: false; message: string }

/** Reads what was typed as the question's schema wants it: text where that fits, else the JSON it stands for. */
export async function readAnswer(text: string, request: InputRequest): Promise<ReadAnswer> {
  const { compileSchema } = await import('@toolblocks/schema-check')
  const compiled = compileSchema(request.schema)
  if (!compiled.ok) return { ok: false, message: 'the schema of the question is none' }
  const asText = compiled.check(text)
  if (asText.verdict === 'valid') return { ok: true, value: text }
  const value = parseJson(text)
  const asJson = value === undefined ? asText : compiled.check(value)
  if (value !== undefined && asJson.verdict === 'valid') return { ok: true, value }
  const { problems } = wantsText(compiled.check) ? asText : asJson
  return { ok: false, message: describe(problems, request) }
}

/** Whether it is the text's content that does not fit, not that it is text. */
function wantsText(check: CheckValue): boolean {
  return !check('').problems.some(({ path, code }) => path === '' && code === 'type')
}

function describe(problems: readonly Problem[], request: InputRequest): string {
  return problems.map((problem) => describeProblem(problem, request).trim()).join('; ')
}

/** What a person typed as a secret is not repeated, nor what holds one. */
function describeProblem({ path, message, expected }: Problem, request: InputRequest): string {
  if (!isSecretAt(request, path)) return `${path} ${message}`
  const reason = expected === undefined ? 'does not fit' : `expected ${expected}`
  return `${path} ${reason}; it is a secret, so it is not shown`
}

/** Whether the value at a place is or holds a secret. What the schema does not say about a place is one where any part is. */
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
