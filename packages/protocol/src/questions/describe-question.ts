import { printableJson } from '../json/printable-json.ts'
import { nameInWords } from '../text/name-in-words.ts'
import type { InputRequest } from './input-request.ts'
import { isSecret } from './is-secret.ts'

/** All of a question that an answer needs, in one line for a model; what a secret offers is for nobody to read. */
export function describeQuestion(request: InputRequest): string {
  const { id, text, schema, default: preselected } = request
  const asked = `question ${nameInWords(id)}: ${nameInWords(text.trim())}`
  if (isSecret(request)) return `[${asked}]`
  const offered = preselected === undefined ? '' : `; its default: ${inJson(preselected)}`
  return `[${asked}; its answer fits this JSON Schema: ${inJson(schema)}${offered}]`
}

function inJson(value: unknown): string {
  return printableJson(JSON.stringify(value))
}
