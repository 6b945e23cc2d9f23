import { isJsonObject, type ToolCall } from '@toolblocks/protocol'

/** Under which name a model gets back what it said instead of arguments. */
const UNREAD = 'not_an_object'

/** Arguments as an object, which providers and stores insist on: what a model said instead stands under `not_an_object`. */
export function argumentsObject(given: ToolCall['arguments']): ToolCall['arguments'] {
  return isJsonObject(given) ? given : { [UNREAD]: given }
}
