import { isJsonObject, type JsonValue, parseJson } from '@toolblocks/protocol'

/** Which calls of a tool may run unasked: those that every condition holds for; without conditions, all of them. */
export interface ApprovalRule {
  tool: string
  conditions: readonly Condition[]
}

/** What one argument has to be. */
export type Condition =
  | { kind: 'exact'; argument: string; value: JsonValue }
  /** A text that begins with these words, and has nothing behind them that a shell could take for another command. */
  | { kind: 'prefix'; argument: string; text: string }
  /** A path to something in this folder of the workspace, after every link is followed. */
  | { kind: 'below'; argument: string; folder: string }

/** A rule, or why a text is none. */
export type ReadRule = { ok: true; rule: ApprovalRule } | { ok: false; message: string }

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
export function writeRule({ tool, conditions }: ApprovalRule): string {
  return tool + conditions.map((condition) => `(${writeCondition(condition)})`).join('')
}

function writeCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'exact':
      return `${condition.argument}=${writeValue(condition.value)}`
    case 'prefix':
      return `${condition.argument}^=${condition.text}`
    case 'below':
      return `${condition.argument} in ${condition.folder}`
  }
}

function writeValue(value: JsonValue): string {
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
