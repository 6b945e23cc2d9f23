import type { InputRequest } from './input-request.ts'

/** Makes a question that is answered with `true` or `false` (specs/000). */
export function booleanQuestion(question: {
  id: string
  text: string
  default?: boolean
}): InputRequest {
  return { ...question, schema: { type: 'boolean' } }
}

/** Makes a question that is answered with one of `options`, at least one (specs/000). */
export function selectQuestion(question: {
  id: string
  text: string
  options: readonly string[]
  default?: string
}): InputRequest {
  const { options, ...request } = question
  return { ...request, schema: { type: 'string', enum: [...options] } }
}

/** Makes a question that is answered with a text (specs/000). */
export function textQuestion(question: {
  id: string
  text: string
  default?: string
}): InputRequest {
  return { ...question, schema: { type: 'string' } }
}
