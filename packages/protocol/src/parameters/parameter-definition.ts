import {
  type JsonValue,
  getOwnField,
  isArrayOf,
  isBoolean,
  isJsonObject,
  isString,
  mayHave,
} from '../json/json.ts'
import { isJsonValue } from '../json/is-json.ts'
import { MAX_SCHEMA_DEPTH } from '../limits/limits.ts'

/** One parameter, in the shape of the configuration and of a self-description. */
export interface ParameterDefinition {
  /** A JSON Schema type, or several. */
  type?: string | readonly string[]
  /** One or two sentences for the model. */
  summary?: string
  /** The whole story, in Markdown. */
  description?: string
  /** Absent: required unless there is a `default` or `type` has `null`. */
  required?: boolean
  /** Filled in where the argument is absent; makes the parameter optional. */
  default?: JsonValue
  enum?: readonly JsonValue[]
  /** What each element of an array is. */
  items?: ParameterDefinition
  /** What an object has. */
  properties?: Readonly<Record<string, ParameterDefinition>>
  examples?: readonly JsonValue[]
  /**
   * The value is program text on purpose: a model writes what is run. Only a person's configuration can say it; of a
   * description it means nothing. Not part of the schema that a model gets.
   */
  code?: boolean
  /** Text that begins with a dash may be a word of the command. As with `code`, only a configuration can say it. */
  allow_dash?: boolean
  /** Any other JSON Schema keyword travels unchanged. */
  [keyword: string]: unknown
}

/** Says whether a value is a `ParameterDefinition`, at most `MAX_SCHEMA_DEPTH` levels deep. */
export function isParameterDefinition(value: unknown): value is ParameterDefinition {
  // Level by level, so that hostile depth cannot exhaust the stack and a cycle ends at the limit.
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAX_SCHEMA_DEPTH || !level.every(hasOwnShape)) return false
    level = level.flatMap(nestedDefinitions)
  }
  return true
}

function hasOwnShape(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    mayHave(value, 'type', (type) => isString(type) || isArrayOf(isString)(type)) &&
    mayHave(value, 'summary', isString) &&
    mayHave(value, 'description', isString) &&
    mayHave(value, 'required', isBoolean) &&
    mayHave(value, 'default', isJsonValue) &&
    mayHave(value, 'enum', isArrayOf(isJsonValue)) &&
    mayHave(value, 'items', isJsonObject) &&
    mayHave(value, 'properties', isJsonObject) &&
    mayHave(value, 'examples', isArrayOf(isJsonValue)) &&
    mayHave(value, 'code', isBoolean) &&
    mayHave(value, 'allow_dash', isBoolean)
  )
}

function nestedDefinitions(definition: unknown): unknown[] {
  if (!isJsonObject(definition)) return []
  const items = Object.hasOwn(definition, 'items') ? [definition['items']] : []
  const properties = getOwnField(definition, 'properties')
  return isJsonObject(properties) ? items.concat(Object.values(properties)) : items
}

/**
 * The arguments whose parameters say `code` or `allow_dash`, named as in placeholders of a command: `path`, `range.first`, and
 * `files.*.path` for every item of a list. A name that placeholders cannot write (with a dot, or `*` itself) is left out.
 */
export function findMarkedArguments(
  parameters: Readonly<Record<string, ParameterDefinition>>,
  keyword: 'code' | 'allow_dash',
): readonly string[] {
  return Object.entries(parameters).flatMap(([name, definition]) =>
    name.includes('.') || name === '*' ? [] : markedIn(name, definition, keyword),
  )
}

function markedIn(
  path: string,
  { items, properties = {}, ...keywords }: ParameterDefinition,
  keyword: 'code' | 'allow_dash',
): readonly string[] {
  if (keywords[keyword] === true) return [path]
  return [
    ...findMarkedArguments(properties, keyword).map((name) => `${path}.${name}`),
    ...(items ? markedIn(`${path}.*`, items, keyword) : []),
  ]
}
