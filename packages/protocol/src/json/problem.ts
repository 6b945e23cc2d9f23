import { has, isJsonObject, isString, mayHave } from './json.ts'

/**
 * One thing that is wrong with data from outside, in words a person or a model can act on. Every package names the codes of its own
 * problems in a type.
 */
export interface Problem<Code extends string = string> {
  /** JSON Pointer (RFC 6901) to the value, relative to the document that was read; empty for the whole. */
  path: string
  /** One line: what is wrong and, where possible, what to do. */
  message: string
  /** What would have been right, for example `string`. */
  expected?: string
  /** What was found, shortened, for example `number 3`. */
  got?: string
  /** Stable name of the kind of problem, kebab-case, for example `unknown-block-type`. */
  code?: Code
}

/** Says whether a value is a `Problem`. */
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
