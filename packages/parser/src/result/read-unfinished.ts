import { describeValue, quoteBriefly, isJsonObject, type JsonObject } from '@toolblocks/protocol'
import type { UnfinishedResult } from '../parsed-result.ts'

/** What a server answers instead of the result of a call; read as a result it would be an empty success. */
export function readUnfinished(value: unknown): UnfinishedResult | undefined {
  if (!isJsonObject(value)) return undefined
  const { resultType, task, content } = value
  switch (resultType) {
    case 'input_required':
    case 'task':
      return { kind: resultType, document: value }
    case 'complete':
    case undefined:
    case null:
      // MCP 2025-11-25 has no `resultType`: a created task is told by its field.
      return isJsonObject(task) && !Array.isArray(content)
        ? { kind: 'task', document: value }
        : undefined
    default:
      return { kind: 'unknown', document: value, resultType: nameOf(resultType) }
  }
}

function nameOf(resultType: JsonObject[string]): string {
  return typeof resultType === 'string' ? quoteBriefly(resultType) : describeValue(resultType)
}
