import { isJsonObject, parseJson, type ToolCall } from '@toolblocks/protocol'

/** Arguments from a provider's JSON. What is no object goes on as it is: the executor says to the model what is wrong with it. */
export function readArguments(input: string): ToolCall['arguments'] {
  if (input.trim() === '') return {}
  const value = parseJson(input)
  if (isJsonObject(value)) return value
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- refused by an executor, in words
  return input as unknown as ToolCall['arguments']
}
