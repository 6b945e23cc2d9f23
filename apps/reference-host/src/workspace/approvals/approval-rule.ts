import { type JsonValue, type ToolCall } from '@toolblocks/protocol'
import { isJsonObject, parseJson } from '@toolblocks/protocol/json'
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { findRealPath, liesBelow } from '../files/real-path.ts'

/** Which calls of a tool may run unasked: those that every condition holds for; without conditions, all of them. */
export interface ApprovalRule {
  tool: string
  conditions: readonly Condition[]
}

/** What one argument has to be. */
type Condition =
  | { kind: 'exact'; argument: string; value: JsonValue }
  /** A text that begins with these words, and has nothing behind them that a shell could take for another command. */
  | { kind: 'prefix'; argument: string; text: string }
  /** A path to something in this folder of the workspace, after every link is followed. */
  | { kind: 'below'; argument: string; folder: string }

/** A rule, or why a text is none. */
type ReadRule = { ok: true; rule: ApprovalRule } | { ok: false; message: string }

const CONDITION = /^([\w.-]+)\s*(\^=|=|\s+in\s+)\s*([^]*)$/

const FORMS = 'NAME, NAME(argument=value), NAME(argument^=beginning) or NAME(path in folder)'

/** Reads a rule as people write it: `fs_read`, `git(command^=git log)`, `fs_write(path in docs)(mode=append)`. */
export function readRule(text: string): ReadRule {
  const at = text.indexOf('(')
  const tool = (at === -1 ? text : text.slice(0, at)).trim()
  if (tool === '' || (at !== -1 && !text.trimEnd().endsWith(')'))) return refuse(text)
  const inside =
    at === -1
      ? []
      : text
          .trimEnd()
          .slice(at + 1, -1)
          .split(')(')
  const conditions: Condition[] = []
  for (const part of inside) {
    const condition = readCondition(part)
    if (!condition) return refuse(text)
    conditions.push(condition)
  }
  return { ok: true, rule: { tool, conditions } }
}

function readCondition(text: string): Condition | undefined {
  const [, argument, relation, said = ''] = CONDITION.exec(text.trim()) ?? []
  if (argument === undefined) return undefined
  if (relation === '=') return { kind: 'exact', argument, value: readValue(said) }
  if (said === '') return undefined
  return relation === '^='
    ? { kind: 'prefix', argument, text: said }
    : { kind: 'below', argument, folder: said }
}

/** As JSON where it is some, else the text itself. */
function readValue(text: string): JsonValue {
  const value = parseJson(text)
  return value === undefined ? text : value
}

function refuse(text: string): ReadRule {
  return { ok: false, message: `expected ${FORMS}, got ${JSON.stringify(text)}` }
}

/** Writes a rule as it is read. */
export function formatRule({ tool, conditions }: ApprovalRule): string {
  return tool + conditions.map((condition) => `(${formatCondition(condition)})`).join('')
}

function formatCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'exact':
      return `${condition.argument}=${formatValue(condition.value)}`
    case 'prefix':
      return `${condition.argument}^=${condition.text}`
    case 'below':
      return `${condition.argument} in ${condition.folder}`
  }
}

function formatValue(value: JsonValue): string {
  const isOwnText = typeof value === 'string' && readValue(value) === value
  return isOwnText ? value : JSON.stringify(value)
}

/** Whether something that was kept is a rule. */
export function isApprovalRule(value: unknown): value is ApprovalRule {
  return (
    isJsonObject(value) &&
    typeof value['tool'] === 'string' &&
    Array.isArray(value['conditions']) &&
    value['conditions'].every(isCondition)
  )
}

function isCondition(value: unknown): boolean {
  if (!isJsonObject(value) || typeof value['argument'] !== 'string') return false
  return (
    (value['kind'] === 'exact' && Object.hasOwn(value, 'value')) ||
    (value['kind'] === 'prefix' && typeof value['text'] === 'string') ||
    (value['kind'] === 'below' && typeof value['folder'] === 'string')
  )
}

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

/** Reads rules that were typed; the first that is none says why. */
export function readRules(
  texts: readonly string[],
): { ok: true; rules: readonly ApprovalRule[] } | { ok: false; message: string } {
  const rules: ApprovalRule[] = []
  for (const text of texts) {
    const read = readRule(text)
    if (!read.ok) return read
    rules.push(read.rule)
  }
  return { ok: true, rules }
}

/**
 * What a program can read as something else than the path it looks like: an option, a home folder, an address, a pattern, a part of
 * a shell's program, or a name with blanks at its ends. Behind a link, `..` leads elsewhere than it reads.
 */
const NOT_A_PLAIN_PATH =
  // oxlint-disable-next-line no-control-regex -- no path that is plain has them
  /^[-~\s]|\s$|^[A-Za-z][A-Za-z0-9+.-]*:|[$`;&|<>()*?[\]{}!"'\\\0-\x1f\x7f]|(?:^|\/)\.\.(?:\/|$)/

/** Tells where paths lead in the workspace at `root`; what does not exist yet counts where it would be made. */
export function createIsBelow(root: string): IsBelow {
  return (path, folder) => {
    if (path === '' || NOT_A_PLAIN_PATH.test(path)) return false
    const place = findRealPath(resolve(root, path))
    const from = findRealPath(resolve(root, folder))
    return place !== undefined && from !== undefined && liesBelow(place, from)
  }
}
