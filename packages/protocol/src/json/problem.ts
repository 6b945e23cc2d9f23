import { has, isJsonObject, isString, mayHave } from './json.ts'

/** A problem of outside data, in words that a person or a model can act on. Every package lists the codes of its own problems in a type. */
export interface Problem<Code extends string = string> {
  /** JSON Pointer (RFC 6901) to the value, relative to the document; empty for the complete document. */
  path: string
  /** One line: what is wrong and, if possible, what to do. */
  message: string
  /** The expected value, for example `string`. */
  expected?: string
  /** The actual value, shortened, for example `number 3`. */
  got?: string
  /** Stable code of the kind of problem, in kebab-case, for example `unknown-block-type`. */
  code?: Code
}

/** Whether a value is a `Problem`. */
export function isProblem(value: unknown): value is Problem {
  return (
    isJsonObject(value) &&
    has(value, 'path', isString) &&
    has(value, 'message', isString) &&
    mayHave(value, 'expected', isString) &&
    mayHave(value, 'got', isString) &&
    mayHave(value, 'code', isString)
  )
}
