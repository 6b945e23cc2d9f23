import { type JsonValue, type ToolCall, isJsonObject } from '@toolblocks/protocol'
import { parseJson } from '@toolblocks/protocol/internal'
import { randomUUID } from 'node:crypto'
import { MAX_OWN_BYTES, readRegularFile } from '../files/read-regular-file.ts'
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { settingsFile } from '../files/own-folders.ts'
import { findRealPath, isInFolder } from '../files/real-path.ts'
import { changeOwnJson } from '../locks/change-own-json.ts'
import type { LockWait } from '../locks/with-lock.ts'

/** The calls of a tool that may run without a question: calls that meet every condition. Without conditions, all calls. */
export interface Rule {
  tool: string
  conditions: readonly Condition[]
}

/** The condition for one argument. */
type Condition =
  | { kind: 'exact'; argument: string; value: JsonValue }
  /** The text begins with these words, and nothing after them could be another command for a shell. */
  | { kind: 'prefix'; argument: string; text: string }
  /** The path leads into this folder of the workspace, after all links are followed. */
  | { kind: 'below'; argument: string; folder: string }

/** Why a text is not a rule. */
type Refusal = { ok: false; message: string }

const CONDITION = /^([\w.-]+)\s*(\^=|=|\s+in\s+)\s*([^]*)$/

const FORMS = 'NAME, NAME(argument=value), NAME(argument^=beginning) or NAME(path in folder)'

/** Parses a rule as people write it: `fs_read`, `git(command^=git log)`, `fs_write(path in docs)(mode=append)`. */
export function readRule(text: string): { ok: true; rule: Rule } | Refusal {
  const index = text.indexOf('(')
  const tool = (index === -1 ? text : text.slice(0, index)).trim()
  if (tool === '' || (index !== -1 && !text.trimEnd().endsWith(')'))) return refuse(text)
  const inside =
    index === -1
      ? []
      : text
          .trimEnd()
          .slice(index + 1, -1)
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
  const [, argument, relation, operand = ''] = CONDITION.exec(text.trim()) ?? []
  if (argument === undefined) return undefined
  if (relation === '=') return { kind: 'exact', argument, value: readValue(operand) }
  if (operand === '') return undefined
  return relation === '^='
    ? { kind: 'prefix', argument, text: operand }
    : { kind: 'below', argument, folder: operand }
}

/** Parses a value as JSON, or returns the text itself if it is not JSON. */
function readValue(text: string): JsonValue {
  const value = parseJson(text)
  return value === undefined ? text : value
}

function refuse(text: string): Refusal {
  return { ok: false, message: `expected ${FORMS}, got ${JSON.stringify(text)}` }
}

/** Formats a rule in the form that `readRule` parses. */
export function formatRule({ tool, conditions }: Rule): string {
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

/** A rule that a person made for more than one call. */
export interface StoredRule {
  /** The id by which it is revoked. */
  id: string
  /** The folder of the workspace that it is valid for. */
  root: string
  rule: Rule
  /** The hash of the tool's definition at that time. If the definition changes, a person is asked again. */
  definition: string
  /** The conversation that it is limited to. Absent: always. */
  conversation?: string
  /** ISO 8601, UTC. */
  at: string
}

/** The rules that people have made. */
export interface RuleStore {
  /** Returns the rules of one workspace, or all. */
  list(root?: string): readonly StoredRule[]
  /** Stores a rule. Rejects if the file cannot be written. */
  remember(rule: Omit<StoredRule, 'id' | 'at'>): Promise<StoredRule>
  /** Removes a rule and returns whether it existed. */
  revoke(id: string): Promise<boolean>
}

/** Opens the rules of this user. A file that cannot be read allows nothing, and invalid entries are ignored. */
export function openRules(file: string, wait: LockWait = {}): RuleStore {
  const change = async (edit: (before: readonly StoredRule[]) => readonly StoredRule[]) =>
    await changeOwnJson(file, wait, () => ({ approvals: edit(readStored(file)) }))
  return {
    list: (root) => readStored(file).filter((each) => root === undefined || each.root === root),
    async remember(rule) {
      const stored = { id: randomUUID().slice(0, 8), ...rule, at: new Date().toISOString() }
      await change((before) => [...before, stored])
      return stored
    },
    async revoke(id) {
      const hasId = (each: StoredRule): boolean => each.id === id
      let isStored = readStored(file).some(hasId)
      if (isStored)
        await change((before) => {
          isStored = before.some(hasId)
          return before.filter((each) => !hasId(each))
        })
      return isStored
    },
  }
}

/** Returns the path of this user's file of rules. */
export function rulesFile(): string {
  return settingsFile('approvals.json')
}

function readStored(file: string): readonly StoredRule[] {
  try {
    const content: unknown = JSON.parse(readRegularFile(file, MAX_OWN_BYTES))
    const rules = isJsonObject(content) ? content['approvals'] : undefined
    return Array.isArray(rules) ? rules.filter(isStoredRule) : []
  } catch {
    return []
  }
}

function isStoredRule(value: unknown): value is StoredRule {
  if (!isJsonObject(value) || !isRule(value['rule'])) return false
  const { conversation } = value
  return (
    ['id', 'root', 'definition', 'at'].every((key) => typeof value[key] === 'string') &&
    (conversation === undefined || typeof conversation === 'string')
  )
}

/** Whether a stored value is a rule. */
export function isRule(value: unknown): value is Rule {
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

/** Whether a path leads into a folder of the workspace, after all links are followed. */
export type IsBelow = (path: string, folder: string) => boolean

/** Characters that a shell could read as the end of a command, the start of another one, or a redirection; and `..`, which leads out of a folder. */
const OPERATORS = /[;&|<>$`()\\\r\n]|(?:^|[/=\s])\.\.(?:[/\s]|$)/

/** Whether a rule lets a call run without a question. */
export function allowsCall(rule: Rule, call: ToolCall, isBelow: IsBelow): boolean {
  return (
    rule.tool === call.name &&
    rule.conditions.every((condition) => matchesCondition(condition, call.arguments, isBelow))
  )
}

function matchesCondition(
  condition: Condition,
  values: ToolCall['arguments'],
  isBelow: IsBelow,
): boolean {
  const { argument } = condition
  const value = Object.hasOwn(values, argument) ? values[argument] : undefined
  switch (condition.kind) {
    case 'exact':
      return value !== undefined && isDeepStrictEqual(value, condition.value)
    case 'prefix':
      return typeof value === 'string' && beginsWithWords(value, condition.text)
    case 'below':
      return typeof value === 'string' && isBelow(value, condition.folder)
  }
}

/** Whether a text begins with these complete words, and nothing after them could run anything else. */
function beginsWithWords(value: string, text: string): boolean {
  if (!value.startsWith(text)) return false
  const rest = value.slice(text.length)
  const endsAtWord = rest === '' || /^\s/.test(rest) || /[\s/=:,]$/.test(text)
  return endsAtWord && !OPERATORS.test(rest)
}

/** Parses typed rules. The first one that is not a rule gives the error. */
export function readRules(
  texts: readonly string[],
): { ok: true; rules: readonly Rule[] } | Refusal {
  const read = texts.map(readRule)
  const rules = read.flatMap((each) => (each.ok ? [each.rule] : []))
  return read.find((each) => !each.ok) ?? { ok: true, rules }
}

/**
 * Texts that a program can read as something other than a path: an option, a home folder, a URL, a pattern, a part of a shell script, or a name
 * with spaces at its ends. `..` after a link leads elsewhere than the text suggests.
 */
const NOT_A_PLAIN_PATH =
  // oxlint-disable-next-line no-control-regex -- no path that is plain has them
  /^[-~\s]|\s$|^[A-Za-z][A-Za-z0-9+.-]*:|[$`;&|<>()*?[\]{}!"'\\\0-\x1f\x7f]|(?:^|\/)\.\.(?:\/|$)/

/**
 * Creates the check of where paths lead in the workspace at `root`. A path that does not exist yet is checked at the place where it would be
 * created.
 */
export function createIsBelow(root: string): IsBelow {
  return (path, folder) => {
    if (path === '' || NOT_A_PLAIN_PATH.test(path)) return false
    const target = findRealPath(resolve(root, path))
    const from = findRealPath(resolve(root, folder))
    return target !== undefined && from !== undefined && isInFolder(target, from)
  }
}
