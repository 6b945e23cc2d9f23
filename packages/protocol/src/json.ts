export { findNonJson, isJsonSchema, isJsonValue } from './json/is-json.ts'
export {
  appendPointer,
  followReference,
  isLocalReference,
  splitPointer,
  valueAtPointer,
} from './json/json-pointer.ts'
export {
  findJsonStringEnd,
  isEscapedInJson,
  isJsonWhiteSpace,
  parseJson,
  escapeUnprintable,
  scanJson,
} from './json/json-text.ts'
export { getOwnField, isJsonObject, isPlainObject } from './json/json.ts'
export {
  type ArgumentKind,
  InvalidArgumentError,
  requireArguments,
} from './text/require-arguments.ts'
export { type OptionChoices, requireChoice, requireChoices } from './text/require-choices.ts'
