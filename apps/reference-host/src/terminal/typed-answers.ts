import type { AnswerQuestion, InputRequest, JsonValue } from '@toolblocks/protocol'
import { compileSchema } from '@toolblocks/schema-check'

/** Answers by question id, as they were typed: `--answer id=value`. */
export type TypedAnswers = ReadonlyMap<string, string>

/** Reads `id=value` pairs, or says which is none. */
export function readTypedAnswers(
  pairs: readonly string[],
): { ok: true; answers: TypedAnswers } | { ok: false; message: string } {
  const wrong = pairs.find((pair) => pair.indexOf('=') < 1)
  if (wrong !== undefined)
    return { ok: false, message: `--answer ${JSON.stringify(wrong)}: expected id=value` }
  const entries = pairs.map((pair): [string, string] => {
    const at = pair.indexOf('=')
    return [pair.slice(0, at), pair.slice(at + 1)]
  })
  return { ok: true, answers: new Map(entries) }
}

/** Answers questions with what was typed beforehand, read as each question wants it; the rest go to `otherwise`. */
export function createTypedAnswers(
  answers: TypedAnswers,
  otherwise: AnswerQuestion | undefined,
): AnswerQuestion {
  return async (request, context) => {
    const text = answers.get(request.id)
    if (text !== undefined && context.problems === undefined)
      return { action: 'accept', value: readAs(text, request) }
    return (await otherwise?.(request, context)) ?? { action: 'cancel', reason: 'nobody' }
  }
}

/** The JSON a text stands for where that fits the question and the text itself does not. */
function readAs(text: string, { schema }: InputRequest): JsonValue {
  const compiled = compileSchema(schema)
  const fits = (value: unknown): boolean => compiled.ok && compiled.check(value).verdict === 'valid'
  if (fits(text)) return text
  try {
    const value: JsonValue = JSON.parse(text)
    return fits(value) ? value : text
  } catch {
    return text
  }
}
