import { type ContentBlock, type InputRequest, type Problem, isSecret } from '@toolblocks/protocol'
import type { CheckValue } from '@toolblocks/schema-check'
import type { InquiryProblem } from './inquiry-problem.ts'

/** A question that can be asked: its label has one line, its default is valid, its schema checks answers. */
export interface PreparedQuestion {
  request: InputRequest
  /** The part of the text that did not fit into one line. It is shown before the question. */
  material: readonly ContentBlock[]
  check: CheckValue
  warnings: readonly InquiryProblem[]
}

/** Prepares a tool's question for asking. Warnings report every removed part. The validator is only loaded if a question is asked. */
export async function prepareQuestion(
  request: InputRequest,
): Promise<{ ok: true; question: PreparedQuestion } | { ok: false; problems: readonly Problem[] }> {
  const { compileSchema } = await import('@toolblocks/schema-check')
  const compiled = compileSchema(request.schema)
  if (!compiled.ok) return { ok: false, problems: compiled.problems }
  const { label, material } = splitText(request.text)
  const { request: labelled, warnings } = checkDefault({ ...request, text: label }, compiled.check)
  return { ok: true, question: { request: labelled, material, check: compiled.check, warnings } }
}

function splitText(text: string): { label: string; material: readonly ContentBlock[] } {
  const trimmed = text.trim()
  const end = trimmed.search(/\r\n|[\n\r]/)
  if (end === -1) return { label: trimmed, material: [] }
  return { label: trimmed.slice(0, end).trim(), material: [{ type: 'text', text: trimmed }] }
}

/** A default is preselected for a person, so it must be a valid answer. */
function checkDefault(
  request: InputRequest,
  check: CheckValue,
): { request: InputRequest; warnings: readonly InquiryProblem[] } {
  if (!('default' in request)) return { request, warnings: [] }
  const { verdict, problems } = check(request.default)
  if (verdict === 'valid') return { request, warnings: [] }
  const { default: _dropped, ...rest } = request
  const reason = problems.map(({ message }) => message).join('; ')
  const message = `the default of the question "${request.id}" is not used: ${reason}`
  return { request: rest, warnings: [{ path: '/default', message, code: 'invalid-default' }] }
}

/** Describes in one line why an answer is invalid. The text may be stored, so it must not contain the value of a secret. */
export function describeValidationError(
  request: InputRequest,
  problems: readonly Problem[],
): string {
  if (isSecret(request)) return 'it is a secret, so it is not shown'
  return problems.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')
}
