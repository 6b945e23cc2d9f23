export { isSurelySchema } from './sure/is-surely-schema.ts'
export { isSurelyValid } from './sure/is-surely-valid.ts'
