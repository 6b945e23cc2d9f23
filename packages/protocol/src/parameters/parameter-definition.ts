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

/** One parameter, in the format of the configuration and of a self-description. */
export interface ParameterDefinition {
  /** A JSON Schema type, or several. */
  type?: string | readonly string[]
  /** One or two sentences for the model. */
  summary?: string
  /** The full description, in Markdown. */
  description?: string
  /** Whether the parameter is required. Absent: required, unless there is a `default` or `type` includes `null`. */
  required?: boolean
  /** The value of an absent argument. It makes the parameter optional. */
  default?: JsonValue
  enum?: readonly JsonValue[]
  /** The definition of an array's elements. */
  items?: ParameterDefinition
  /** The definitions of an object's properties. */
  properties?: Readonly<Record<string, ParameterDefinition>>
  examples?: readonly JsonValue[]
  /**
   * Whether the value is program text that a model writes on purpose. Only a person's configuration can set it; in a description it has no effect.
   * It is not part of the schema for the model.
   */
  code?: boolean
  /** Whether text that starts with a dash may become a word of the command. Like `code`, only a configuration can set it. */
  allow_dash?: boolean
  /** Any other JSON Schema keyword is passed on unchanged. */
  [keyword: string]: unknown
}

/** Whether a value is a `ParameterDefinition`, at most `MAX_SCHEMA_DEPTH` levels deep. */
export function isParameterDefinition(value: unknown): value is ParameterDefinition {
  // Level by level, so that a deep value cannot exhaust the stack and a cycle ends at the limit.
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
 * Returns the arguments whose parameters have `code` or `allow_dash`, named like the placeholders of a command: `path`, `range.first`, and
 * `files.*.path` for every item of a list. A name that placeholders cannot express (with a dot, or `*` itself) is omitted.
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
