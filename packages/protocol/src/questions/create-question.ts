import type { InputRequest } from './input-request.ts'

/** Makes a question that is answered with `true` or `false`. */
export function booleanQuestion(question: {
  id: string
  text: string
  default?: boolean
}): InputRequest {
  return { ...question, schema: { type: 'boolean' } }
}

/** Makes a question that is answered with one of `options`, at least one. */
export function selectQuestion(question: {
  id: string
  text: string
  options: readonly string[]
  default?: string
}): InputRequest {
  const { options, ...request } = question
  return { ...request, schema: { type: 'string', enum: [...options] } }
}

/** Makes a question that is answered with a text. */
export function textQuestion(question: {
  id: string
  text: string
  default?: string
}): InputRequest {
  return { ...question, schema: { type: 'string' } }
}
