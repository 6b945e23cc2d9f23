import type { Progress } from '../calls/tool.ts'
import { isJsonObject, isNumber, isString } from '../json/json.ts'
import { parseJson } from '../json/json-text.ts'

/** The method of MCP's notification. */
const METHOD = 'notifications/progress'

/** Formats a report of progress as the line that a program writes on standard error (docs/protocol.md), without the line feed. */
export function formatProgressLine(progress: Progress): string {
  return JSON.stringify({ jsonrpc: '2.0', method: METHOD, params: progress })
}

/** Reads a line of standard error as a report of progress. `undefined` for every other line. */
export function readProgressLine(line: string): Progress | undefined {
  if (!line.includes(METHOD)) return undefined
  const notification = parseJson(line)
  if (!isJsonObject(notification) || notification['method'] !== METHOD) return undefined
  const { params } = notification
  if (!isJsonObject(params)) return undefined
  const { progress, total, message } = params
  const report: Progress = {
    ...(isNumber(progress) && { progress }),
    ...(isNumber(total) && { total }),
    ...(isString(message) && { message }),
  }
  return Object.keys(report).length > 0 ? report : undefined
}
