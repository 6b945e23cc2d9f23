export { Type } from 'typebox'
export type { Static, TSchema } from 'typebox'
