// The imports of a generated validator, under their names.
export type { ValidateFunction } from 'ajv'
export { findEqualItems } from '../keywords/canonical-json.ts'
export { countCharacters as codePointLength } from '@toolblocks/protocol/internal'
