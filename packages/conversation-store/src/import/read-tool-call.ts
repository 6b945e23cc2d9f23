import { field, isJsonObject, type JsonObject, type ToolCall } from '@toolblocks/protocol'
import { parseInner } from './records/parse-bounded.ts'

/** Names of a call's id, name and arguments, in the order they are looked for. */
const IDS: readonly string[] = ['toolCallId', 'callId', 'call_id', 'id']
const NAMES: readonly string[] = ['name', 'toolName']
const ARGUMENTS: readonly string[] = ['arguments', 'input', 'args']

/** Reads a call as older systems and providers write it; `undefined` for what has no id or no name. */
export function readToolCall(value: unknown): ToolCall | undefined {
  if (!isJsonObject(value)) return undefined
  const [id, name] = [first(value, IDS), first(value, NAMES)]
  if (typeof id !== 'string' || typeof name !== 'string') return undefined
  return { id, name, arguments: readArguments(first(value, ARGUMENTS)) }
}

function first(value: JsonObject, names: readonly string[]): unknown {
  const name = names.find((each) => Object.hasOwn(value, each))
  return name === undefined ? undefined : field(value, name)
}

/** Arguments as an object, or as its JSON. What is neither is under `input`, as it was. */
export function readArguments(given: unknown): JsonObject {
  if (isJsonObject(given)) return given
  if (given === undefined || given === null || given === '') return {}
  const parsed = typeof given === 'string' ? parseInner(given) : given
  return isJsonObject(parsed) ? parsed : { input: given }
}
