import {
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  type ToolCall,
  isJsonObject,
} from '@toolblocks/protocol'
import { fillDefaults, parseJson } from '@toolblocks/protocol/internal'
import { isDeepStrictEqual } from 'node:util'

/** What a rule does with a call: it runs without a question, a person is asked, or it never runs. */
export type RuleEffect = 'allow' | 'ask' | 'deny'

/** An effect, and the calls that it is for: calls of these tools that meet every condition. Without conditions, all their calls. */
export interface Rule {
  effect: RuleEffect
  /** The name of a tool. `*` at its end stands for any characters. */
  tool: string
  conditions: readonly RuleCondition[]
}

/** The condition for one argument. */
export type RuleCondition = {
  /** The name of the argument. */
  argument: string
} & (
  | {
      kind: 'exact'
      /** The argument equals this value, with its type. */
      value: JsonValue
    }
  | {
      kind: 'prefix'
      /**
       * The argument begins with these words. For `allow`, they are complete, so `tools` does not fit `tools/a` and `tools/` does, and nothing after
       * them could be another command for a shell.
       */
      text: string
    }
  | {
      kind: 'below'
      /** The argument is a path that leads into this folder, after all links are followed. */
      folder: string
    }
)

/** Whether a path leads into a folder. `undefined`: it may, and it may not. Then a rule with `allow` does not fit, and every other one does. */
export type IsBelow = (path: string, folder: string) => boolean | undefined

/** A rule, or why a text is not one. */
export type ReadRule = { ok: true; rule: Rule } | { ok: false; message: string }

const CONDITION = /^([\w.-]+)\s*(\^=|=|\s+in\s+)\s*([^]*)$/

const FORMS = 'NAME, NAME(argument=value), NAME(argument^=beginning) or NAME(path in folder)'

/** Parses an effect and its calls: `allow fs_read`, `deny git(command^=git push)`, `ask fs_write(path in docs)(mode=append)`, `ask github__*`. */
export function readRule(text: string): ReadRule {
  const [, effect, calls = ''] = /^\s*(\w+)(?:\s+([^]*))?$/.exec(text) ?? []
  if (!isEffect(effect)) {
    const message = `expected allow, ask or deny before the calls, got ${JSON.stringify(text)}`
    return { ok: false, message }
  }
  const index = calls.indexOf('(')
  const tool = (index === -1 ? calls : calls.slice(0, index)).trim()
  const star = tool.indexOf('*')
  if (
    tool === '' ||
    (star !== -1 && star < tool.length - 1) ||
    (index !== -1 && !calls.trimEnd().endsWith(')'))
  )
    return refuse(calls)
  const inside =
    index === -1
      ? []
      : calls
          .trimEnd()
          .slice(index + 1, -1)
          .split(')(')
  const conditions: RuleCondition[] = []
  for (const part of inside) {
    const condition = readCondition(part)
    if (!condition) return refuse(calls)
    conditions.push(condition)
  }
  return { ok: true, rule: { effect, tool, conditions } }
}

function isEffect(text: unknown): text is RuleEffect {
  return text === 'allow' || text === 'ask' || text === 'deny'
}

function readCondition(text: string): RuleCondition | undefined {
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

function refuse(text: string): ReadRule {
  const message = `expected ${FORMS}, with * at most at the end of NAME, got ${JSON.stringify(text)}`
  return { ok: false, message }
}

/** Formats the calls of a rule without its effect: `git(command^=git log)`. */
export function formatRuleCalls({ tool, conditions }: Pick<Rule, 'tool' | 'conditions'>): string {
  return tool + conditions.map((condition) => `(${formatCondition(condition)})`).join('')
}

/** Formats a rule in the form that `readRule` parses. */
export function formatRule(rule: Rule): string {
  return `${rule.effect} ${formatRuleCalls(rule)}`
}

function formatCondition(condition: RuleCondition): string {
  switch (condition.kind) {
    case 'exact':
      return `${condition.argument}=${formatValue(condition.value)}`
    case 'prefix':
      return `${condition.argument}^=${condition.text}`
    case 'below':
      return `${condition.argument} in ${condition.folder}`
  }
}

/** Parentheses that would begin the next condition, characters that are not seen, and blanks that are not one space. */
const UNCLEAR = /\)\(|[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu

function formatValue(value: JsonValue): string {
  const isOwnText =
    typeof value === 'string' &&
    readValue(value) === value &&
    value.trim() === value &&
    value.search(UNCLEAR) === -1
  if (isOwnText) return value
  // In JSON, these characters are only inside texts.
  return JSON.stringify(value).replaceAll(UNCLEAR, (part) =>
    part === ')(' ? String.raw`)\u0028` : escapeUnits(part),
  )
}

function escapeUnits(text: string): string {
  return text
    .split('')
    .map((unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0'))
    .join('')
}

/** Whether a value that was stored as JSON is a rule. */
export function isRule(value: unknown): value is Rule {
  return (
    isJsonObject(value) &&
    isEffect(value['effect']) &&
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

/** Whether a rule is about a tool, for some of its calls. */
export function isRuleOfTool({ tool }: Pick<Rule, 'tool'>, name: string): boolean {
  return tool.endsWith('*') ? name.startsWith(tool.slice(0, -1)) : name === tool
}

/**
 * Whether a rule fits a call. In doubt, a rule with `allow` does not fit and every other one does: a text after which a shell could read another
 * command, a path that may lead elsewhere, a number as a text, a value inside a list or an object, and a default that the tool itself may fill in. `schema`: that of the
 * tool's arguments.
 */
export function isRuleOfCall(
  rule: Rule,
  call: ToolCall,
  { isBelow, schema }: { isBelow: IsBelow; schema: JsonSchema },
): boolean {
  if (!isRuleOfTool(rule, call.name)) return false
  const { conditions } = rule
  if (rule.effect === 'allow')
    return conditions.every((condition) => isSurelyMet(condition, call.arguments, isBelow))
  const complete = fillDefaults(call.arguments, schema)
  return conditions.every((condition) => isMaybeMet(condition, complete, isBelow))
}

/**
 * Says why a rule with `allow` does not fit a call that a rule with `deny` and the same conditions fits. `undefined`: the rule fits, or it is about other
 * calls.
 */
export function explainMisfit(
  rule: Rule,
  call: ToolCall,
  about: Parameters<typeof isRuleOfCall>[2],
): string | undefined {
  if (rule.effect !== 'allow' || !isRuleOfCall({ ...rule, effect: 'deny' }, call, about))
    return undefined
  const unmet = rule.conditions.find((each) => !isSurelyMet(each, call.arguments, about.isBelow))
  return unmet && explainUnmet(unmet, findArgument(unmet, call.arguments))
}

function explainUnmet(condition: RuleCondition, value: unknown): string {
  const name = JSON.stringify(condition.argument)
  if (value === undefined) return `the call does not have ${name}, and allow counts no default`
  if (condition.kind === 'exact')
    return `${name} has to be exactly ${JSON.stringify(condition.value)}, also of this type`
  if (typeof value !== 'string') return `${name} is not a text`
  if (condition.kind === 'below')
    return `it is not certain that ${name} leads into ${JSON.stringify(condition.folder)}`
  const { text } = condition
  const written = JSON.stringify(text)
  if (!value.startsWith(text))
    return `${name} does not begin with exactly ${written}, spaces included`
  const rest = value.slice(text.length)
  if (endsAtWord(text, rest))
    return `after ${written} there is ${JSON.stringify(OPERATORS.exec(rest)?.[0] ?? '')}, after which a shell could read another command or a path could leave the folder`
  const inFolder = rest.startsWith('/')
    ? `; for what is in this folder write "${condition.argument} in ${text}"`
    : ''
  return `after ${written} there is ${JSON.stringify(/^./su.exec(rest)?.[0] ?? '')}, and allow with ^= fits only complete words${inFolder}`
}

/** A name of an argument that is a path, such as `path`, `file_path` and `outputDir`. */
const NAME_OF_A_PATH =
  /(?:^|[_.-])(?:path|file|filename|folder|dir|directory)$|(?:Path|File|Folder|Dir|Directory)$/

/** A path that ends with the name of a file, such as `docs/a.md`. */
const NAME_OF_A_FILE = /[^/.]\.\w+$/

/** Says which condition of a rule with `allow` fits one path where a folder is probably meant. `undefined`: there is no such condition. */
export function explainNarrowPrefix({ effect, conditions }: Rule): string | undefined {
  for (const condition of conditions) {
    if (effect !== 'allow' || condition.kind !== 'prefix') continue
    const { argument, text } = condition
    if (!NAME_OF_A_PATH.test(argument) || endsAtWord(text, '/') || NAME_OF_A_FILE.test(text))
      continue
    return `allow with ^= fits only complete words, so it fits the path ${JSON.stringify(text)} and nothing in it; for what is in this folder write "${argument} in ${text}"`
  }
  return undefined
}

function isSurelyMet(condition: RuleCondition, values: JsonObject, isBelow: IsBelow): boolean {
  const value = findArgument(condition, values)
  switch (condition.kind) {
    case 'exact':
      return value !== undefined && isDeepStrictEqual(value, condition.value)
    case 'prefix':
      return typeof value === 'string' && beginsWithWords(value, condition.text)
    case 'below':
      return typeof value === 'string' && isBelow(value, condition.folder) === true
  }
}

function isMaybeMet(condition: RuleCondition, values: JsonObject, isBelow: IsBelow): boolean {
  const value = findArgument(condition, values)
  const each = listLeaves(value)
  switch (condition.kind) {
    case 'exact':
      return [value, ...each].some((one) => one !== undefined && isAlike(one, condition.value))
    case 'prefix': {
      const texts = each.filter((one) => typeof one === 'string')
      return [texts.join(' '), ...texts].some((text) => mayBeginWith(text, condition.text))
    }
    case 'below':
      return each.some((one) => typeof one === 'string' && isBelow(one, condition.folder) !== false)
  }
}

/** Whether two values are equal, or have the same text: a rule for `id=7` is also about the text `7`. */
function isAlike(one: unknown, other: JsonValue): boolean {
  const [text, otherText] = [one, other].map((each) =>
    typeof each === 'object' && each !== null ? undefined : String(each).trim(),
  )
  if (isDeepStrictEqual(one, other)) return true
  if (text === undefined || otherText === undefined) return false
  return text === otherText || (text !== '' && Number(text) === Number(otherText))
}

/** Returns the texts, numbers and other single values in a value, at any depth. */
function listLeaves(value: unknown): readonly unknown[] {
  const leaves: unknown[] = []
  const open: unknown[] = [value]
  for (let part = open.pop(); open.length > 0 || part !== undefined; part = open.pop()) {
    if (typeof part !== 'object' || part === null) leaves.push(part)
    else open.push(...Object.values(part).toReversed())
  }
  return leaves
}

function findArgument({ argument }: RuleCondition, values: JsonObject): unknown {
  return Object.hasOwn(values, argument) ? values[argument] : undefined
}

/** Characters that a shell could read as the end of a command, the start of another one, or a redirection; and `..`, which leads out of a folder. */
const OPERATORS = /[;&|<>$`()\\\r\n]|(?:^|[/=\s])\.\.(?:[/\s]|$)/

/** Whether a text begins with these complete words, and nothing after them could run anything else. */
function beginsWithWords(value: string, text: string): boolean {
  if (!value.startsWith(text)) return false
  const rest = value.slice(text.length)
  return endsAtWord(text, rest) && !OPERATORS.test(rest)
}

/** Whether a text that `rest` follows ends where a word ends. */
function endsAtWord(text: string, rest: string): boolean {
  return rest === '' || /^\s/.test(rest) || /[\s/=:,]$/.test(text)
}

/** Whether a text begins with these words, whatever follows and whatever spaces are between them. */
function mayBeginWith(value: string, text: string): boolean {
  const [whole, beginning] = [joinWords(value), joinWords(text)]
  return whole.startsWith(beginning) && !/^[\p{L}\p{N}_-]/u.test(whole.slice(beginning.length))
}

function joinWords(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}
