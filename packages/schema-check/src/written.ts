export {
  codePointLength,
  findSameItems,
  type ValidateFunction,
} from './written/called-by-validators.ts'
export { useValidator } from './written/use-validator.ts'
