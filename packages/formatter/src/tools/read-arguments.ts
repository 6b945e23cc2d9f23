import { isJsonObject, type ToolCall } from '@toolblocks/protocol'

/** Arguments from a provider's JSON. What is no object goes on as it is: the executor says to the model what is wrong with it. */
export function readArguments(input: string): ToolCall['arguments'] {
  if (input.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(input)
    if (isJsonObject(value)) return value
  } catch {
    // Said by whoever is asked to run it.
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- refused by an executor, in words
  return input as unknown as ToolCall['arguments']
}
