import { isSecret } from '@toolblocks/inquiry'
import type { InputRequest, JsonValue, Problem } from '@toolblocks/protocol'
import { compileSchema, type CheckValue } from '@toolblocks/schema-check'

/** The value a text stands for, or why it stands for none that fits. */
export type ReadAnswer = { ok: true; value: JsonValue } | { ok: false; message: string }

/** Reads what was typed as the question's schema wants it: text where that fits, else the JSON it stands for. */
export function readAnswer(text: string, request: InputRequest): ReadAnswer {
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
  if (isSecret(request)) return 'the answer does not fit; it is a secret, so it is not shown'
  return problems.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')
}

function parseJson(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}
