import {
  createFailure,
  describeValue,
  isJsonObject,
  parseJson,
  type ToolCall,
  type ToolResult,
} from '@toolblocks/protocol'

/** The call with its arguments as an object, or the result that says why they are none. */
export type ReadCall = { ok: true; call: ToolCall } | { ok: false; result: ToolResult }

/** Reads the arguments of a call: providers and models also send them as JSON in a string. */
export function readCall(given: ToolCall): ReadCall {
  const values: unknown = given.arguments
  const read = typeof values === 'string' ? parse(values) : values
  if (isJsonObject(read))
    return { ok: true, call: read === values ? given : { ...given, arguments: read } }
  const found =
    typeof values === 'string' ? 'a string that is no JSON object' : describeValue(values)
  const text = `Invalid arguments for the tool ${JSON.stringify(given.name)}; the call was not run. Expected an object, got ${found}.`
  return { ok: false, result: createFailure(text) }
}

/** No text at all is how some providers say that there are no arguments. */
function parse(text: string): unknown {
  return text.trim() === '' ? {} : parseJson(text)
}
