import { isJsonValue, type JsonValue, type ToolCall, type Tool } from '@toolblocks/protocol'
import { actionsOf } from './live-schema.ts'

/** What a model wants of a live tool. */
export type LiveAction =
  | { action: 'spawn'; id: string; arguments: ToolCall['arguments'] }
  | { action: 'fetch' | 'abort'; id: string }
  | { action: 'apply'; id: string; input: JsonValue }

/** The action of a call, or what is wrong with it. */
export type ReadLiveAction = { ok: true; action: LiveAction } | { ok: false; message: string }

/** A call without `action` runs a live tool once, like any other. */
export function isLiveCall(call: ToolCall, tool: Tool): boolean {
  return tool.spawn !== undefined && Object.hasOwn(call.arguments, 'action')
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
      return { ok: true, action: { action: known, id, arguments: own } }
    case 'apply':
      return isJsonValue(own['input'])
        ? { ok: true, action: { action: known, id, input: own['input'] } }
        : bad('input: is required and missing; expected what to type, or the answer')
    case 'fetch':
    case 'abort':
      return { ok: true, action: { action: known, id } }
  }
}

function bad(message: string): ReadLiveAction {
  return { ok: false, message }
}
