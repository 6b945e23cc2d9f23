import type { ValidateFunction } from 'ajv'
import type { CheckValue } from './compile-schema.ts'
import { explainErrors } from './problems/explain-errors.ts'

/** Returns a function that checks values with a generated validator, synchronously and with the problems of `compileSchema`. */
export function wrapValidator(validate: ValidateFunction): CheckValue {
  return (value) => {
    if (validate(value)) return { verdict: 'valid', problems: [] }
    return { verdict: 'invalid', problems: explainErrors(validate.errors ?? []) }
  }
}
export {
  codePointLength,
  findEqualItems,
  type ValidateFunction,
} from './ajv/called-by-validators.ts'
