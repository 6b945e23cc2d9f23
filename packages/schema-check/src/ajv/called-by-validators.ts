// What the code of a written validator calls; the names are those it imports.
export type { ValidateFunction } from 'ajv'
export { findEqualItems } from '../keywords/canonical-json.ts'
export { countCharacters as codePointLength } from '@toolblocks/protocol'
