import {
  isJsonObject,
  isJsonValue,
  type JsonValue,
  type ToolCall,
  type Tool,
} from '@toolblocks/protocol'
import { actionsOf, placeOfArguments } from './live-schema.ts'

/** What a model wants of a live tool. */
export type LiveAction =
  | { action: 'spawn'; id: string; arguments: ToolCall['arguments'] }
  | { action: 'fetch' | 'abort'; id: string }
  | { action: 'apply'; id: string; input: JsonValue }

/** The action of a call, or what is wrong with it. */
export type ReadLiveAction = { ok: true; action: LiveAction } | { ok: false; message: string }

/** A call without `action` runs a live tool once, like any other; where the tool has an `action` itself, one without a handle. */
export function isLiveCall({ arguments: given }: ToolCall, tool: Tool): boolean {
  if (tool.spawn === undefined || !Object.hasOwn(given, 'action')) return false
  if (placeOfArguments(tool) === 'beside') return true
  return actionsOf(tool).some((name) => name === given['action']) && typeof given['id'] === 'string'
}

/** Reads the action of a call to a live tool. */
export function readLiveAction(call: ToolCall, tool: Tool): ReadLiveAction {
  const { action, id, ...own } = call.arguments
  const known = actionsOf(tool).find((name) => name === action)
  if (known === undefined)
    return bad(`action: expected ${actionsOf(tool).join(', ')}, got ${JSON.stringify(action)}`)
  if (typeof id !== 'string' || id === '')
    return bad(`id: expected the name of a handle, got ${JSON.stringify(id) ?? 'nothing'}`)
  switch (known) {
    case 'spawn':
      return readSpawn(id, own, tool)
    case 'apply':
      return isJsonValue(own['input'])
        ? { ok: true, action: { action: known, id, input: own['input'] } }
        : bad('input: is required and missing; expected what to type, or the answer')
    case 'fetch':
    case 'abort':
      return { ok: true, action: { action: known, id } }
  }
}

function readSpawn(id: string, own: ToolCall['arguments'], tool: Tool): ReadLiveAction {
  if (placeOfArguments(tool) === 'beside')
    return { ok: true, action: { action: 'spawn', id, arguments: own } }
  const { arguments: inside = {} } = own
  return isJsonObject(inside)
    ? { ok: true, action: { action: 'spawn', id, arguments: inside } }
    : bad(`arguments: expected an object, got ${JSON.stringify(inside)}`)
}

function bad(message: string): ReadLiveAction {
  return { ok: false, message }
}
