import type { ValidateFunction } from 'ajv'
import type { CheckValue } from './compile-schema.ts'
import { explainErrors } from './problems/explain-errors.ts'

export {
  codePointLength,
  findSameItems,
  type ValidateFunction,
} from './ajv/called-by-validators.ts'

/** Checks values with what `writeValidator` wrote; synchronous, and the problems are those of `compileSchema`. */
export function useValidator(validate: ValidateFunction): CheckValue {
  return (value) => {
    if (validate(value)) return { verdict: 'valid', problems: [] }
    return { verdict: 'invalid', problems: explainErrors(validate.errors ?? []) }
  }
}
