import { isDeepStrictEqual } from 'node:util'
import type { ToolCall } from '@toolblocks/protocol'
import type { ApprovalRule, Condition } from './approval-rule.ts'

/** Whether a path leads to something in a folder of the workspace, after every link is followed. */
export type IsBelow = (path: string, folder: string) => boolean

/** What a shell could read as the end of one command and the start of another, or as a place to write to; and the way out of a folder. */
const OPERATORS = /[;&|<>$`()\\\r\n]|(?:^|[/=\s])\.\.(?:[/\s]|$)/

/** Whether a rule lets a call run unasked. */
export function allowsCall(rule: ApprovalRule, call: ToolCall, isBelow: IsBelow): boolean {
  return (
    rule.tool === call.name &&
    rule.conditions.every((condition) => holds(condition, call.arguments, isBelow))
  )
}

function holds(condition: Condition, values: ToolCall['arguments'], isBelow: IsBelow): boolean {
  const { argument } = condition
  const value = Object.hasOwn(values, argument) ? values[argument] : undefined
  switch (condition.kind) {
    case 'exact':
      return value !== undefined && isDeepStrictEqual(value, condition.value)
    case 'prefix':
      return typeof value === 'string' && beginsWith(value, condition.text)
    case 'below':
      return typeof value === 'string' && isBelow(value, condition.folder)
  }
}

/** Whether a text begins with whole words, and has nothing behind them that could do more. */
function beginsWith(value: string, text: string): boolean {
  if (!value.startsWith(text)) return false
  const rest = value.slice(text.length)
  const endsAtWord = rest === '' || /^\s/.test(rest) || /[\s/=:,]$/.test(text)
  return endsAtWord && !OPERATORS.test(rest)
}
