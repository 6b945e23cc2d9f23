import {
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  isJsonObject,
} from '@toolblocks/protocol'
import {
  followReference,
  isJsonSchema,
  isJsonValue,
  escapeUnprintable,
} from '@toolblocks/protocol/internal'
import { getDetails } from '../questions/question-details.ts'
import { readChoices } from '../questions/read-choices.ts'
import { comment } from './read-answer.ts'

/** Levels and values of a schema that the template includes. Deeper values are blanks. */
const MAX_DEPTH = 6

const MAX_VALUES = 500

interface TemplatePosition {
  root: JsonSchema
  depth: number
  /** Remaining values for the complete template. */
  budget: { values: number }
}

/**
 * Returns a template to fill in, as JSON with comments. It has the defaults, and above each field its type and description. Optional fields without
 * a default, and an example item of an empty list, are commented out.
 */
export function createTemplate(schema: JsonSchema, value?: JsonValue): string {
  const position = { root: schema, depth: 0, budget: { values: MAX_VALUES } }
  const resolved = resolveSchema(schema, schema)
  return [
    comment(describeSchema(resolved, 'required')),
    ...getLines(resolved, { value, position }),
  ].join('\n')
}

interface TemplateValue {
  value: JsonValue | undefined
  position: TemplatePosition
}

function getLines(schema: JsonSchema, { value, position }: TemplateValue): readonly string[] {
  const filled = value ?? findDefault(schema)
  if (!isJsonObject(schema)) return toLines(filled ?? null)
  position.budget.values -= 1
  if (position.depth >= MAX_DEPTH || position.budget.values < 0)
    return toLines(filled ?? getBlank(schema))
  if (isJsonObject(schema['properties']) && (filled === undefined || isJsonObject(filled)))
    return objectLines(schema, {
      properties: schema['properties'],
      values: filled ?? {},
      position,
    })
  if (schema['type'] === 'array' && (filled === undefined || isEmptyList(filled)))
    return ['[', ...exampleLines(schema, position).map((line) => `  ${line}`), ']']
  return toLines(filled ?? getBlank(schema))
}

function objectLines(
  schema: JsonObject,
  {
    properties,
    values,
    position,
  }: { properties: JsonObject; values: JsonObject; position: TemplatePosition },
): readonly string[] {
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const lines: string[] = []
  for (const [name, property] of Object.entries(properties)) {
    const resolved = resolveSchema(property, position.root)
    const held = Object.hasOwn(values, name) ? values[name] : undefined
    const value = isJsonValue(held) ? held : findDefault(resolved)
    const need = required.includes(name) ? 'required' : 'optional'
    if (need === 'optional' && value === undefined && position.budget.values <= 0) continue
    const member = getLines(resolved, {
      value,
      position: { ...position, depth: position.depth + 1 },
    })
    const written = asMember(name, member)
    lines.push(comment(describeSchema(resolved, need)))
    lines.push(...(need === 'optional' && value === undefined ? written.map(asComment) : written))
  }
  for (const [name, held] of Object.entries(values))
    if (!Object.hasOwn(properties, name) && isJsonValue(held))
      lines.push(...asMember(name, toLines(held)))
  return ['{', ...lines.map((line) => `  ${line}`), '}']
}

function exampleLines(schema: JsonObject, position: TemplatePosition): readonly string[] {
  const items = schema['items']
  if (!isJsonObject(items)) return []
  const resolved = resolveSchema(items, position.root)
  const depth = position.depth + 1
  const lines = getLines(resolved, { value: undefined, position: { ...position, depth } })
  return withComma(lines).map(asComment)
}

function asMember(name: string, lines: readonly string[]): readonly string[] {
  const [first = '', ...rest] = withComma(lines)
  return [`${escapeUnprintable(JSON.stringify(name))}: ${first}`, ...rest]
}

function withComma(lines: readonly string[]): readonly string[] {
  return [...lines.slice(0, -1), `${lines.at(-1) ?? ''},`]
}

function asComment(line: string): string {
  return `// ${line}`
}

function findDefault(schema: JsonSchema): JsonValue | undefined {
  const value = isJsonObject(schema) ? (schema['default'] ?? schema['const']) : undefined
  return isJsonValue(value) ? value : undefined
}

/** Returns a placeholder of the right type. */
function getBlank(schema: JsonObject): JsonValue {
  const [choice] = readChoices(schema) ?? []
  if (choice) return choice.value
  const { type, minimum } = schema
  switch (Array.isArray(type) ? type[0] : type) {
    case 'string':
      return ''
    case 'number':
    case 'integer':
      return typeof minimum === 'number' ? minimum : 0
    case 'boolean':
      return false
    case 'array':
      return []
    case 'object':
      return {}
    default:
      return null
  }
}

function isEmptyList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length === 0
}

function toLines(value: JsonValue): readonly string[] {
  return escapeUnprintable(JSON.stringify(value, undefined, 2)).split('\n')
}

/** Describes a value in one line: its type, whether it is optional, its description and limits. */
function describeSchema(schema: JsonSchema, need: 'required' | 'optional'): string {
  const details = getDetails(schema)
  const type = `${getType(schema)}${need === 'optional' ? ', optional' : ''}`
  return details.length === 0 ? type : `${type}: ${details.join(' · ')}`
}

function getType(schema: unknown): string {
  if (!isJsonObject(schema)) return 'anything'
  const choices = readChoices(schema)
  if (choices)
    return `one of ${choices
      .map(({ value, title }) => {
        const json = JSON.stringify(value)
        return title === String(value) ? json : `${json} (${title})`
      })
      .join(', ')}`
  const { type, items } = schema
  if (type === 'array') {
    const each = getType(items)
    return each === 'anything' ? 'list' : `list, each ${each}`
  }
  if (Array.isArray(type)) return type.join(' or ')
  return typeof type === 'string' ? type : 'anything'
}

const MAX_STEPS = 16

/** Returns the schema for a template: local references are followed, and the first alternative is used. */
export function resolveSchema(schema: unknown, root: JsonSchema): JsonSchema {
  let resolved: unknown = schema
  for (let step = 0; step < MAX_STEPS && isJsonObject(resolved); step++) {
    const { $ref: reference, type, properties } = resolved
    const alternatives = resolved['oneOf'] ?? resolved['anyOf']
    if (typeof reference === 'string') resolved = followReference(root, reference)?.schema ?? true
    else if (Array.isArray(alternatives) && isJsonObject(alternatives[0]) && !type && !properties) {
      if (Object.hasOwn(alternatives[0], 'const')) break
      resolved = alternatives[0]
    } else break
  }
  return isJsonSchema(resolved) ? resolved : true
}
