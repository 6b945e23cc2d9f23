import { appendPointer, getOwnField } from '@toolblocks/protocol/internal'
import { isJsonObject } from '@toolblocks/protocol'
import type { ErrorObject } from 'ajv'
import { getSubschemas } from '../lint/collect-subschemas.ts'

/**
 * Replaces the errors inside a failed `anyOf` or `oneOf` by those that help: the errors of the one alternative meant
 * for this kind of value, where there is just one; otherwise the error of the choice itself.
 */
export function foldAlternatives(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const kept: ErrorObject[] = []
  const known = new Map<unknown, ReadonlySet<unknown>>()
  for (const error of errors) {
    if (error.keyword === 'if') continue
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') kept.push(error)
    else {
      const beside = known.get(error.schema) ?? findSchemasBeside(error)
      known.set(error.schema, beside)
      for (const helpful of foldChoice(error, takeInside(kept, error, beside))) kept.push(helpful)
    }
  }
  return kept
}

/** Ajv lists the errors of the alternatives directly before the error of the choice. */
function takeInside(
  kept: ErrorObject[],
  choice: ErrorObject,
  beside: ReadonlySet<unknown>,
): ErrorObject[] {
  const isInside = ({ instancePath, parentSchema }: ErrorObject): boolean =>
    !beside.has(parentSchema) && `${instancePath}/`.startsWith(`${choice.instancePath}/`)
  const first = kept.findLastIndex((error) => !isInside(error)) + 1
  return kept.splice(first)
}

/** The schema that holds the choice, and all in it but the alternatives: paths cannot tell them apart behind `$ref`. */
function findSchemasBeside(choice: ErrorObject): ReadonlySet<unknown> {
  const owner = { schema: choice.parentSchema, path: '' }
  const others = ['$defs', 'definitions', choice.keyword]
  const beside = getSubschemas(owner).filter(
    ({ path }) => !others.includes(path.split('/')[1] ?? ''),
  )
  for (let index = 0; index < beside.length; index++) {
    const subschema = beside[index]
    for (const inside of subschema ? getSubschemas(subschema) : []) beside.push(inside)
  }
  return new Set([owner, ...beside].map(({ schema }) => schema))
}

function foldChoice(choice: ErrorObject, inside: readonly ErrorObject[]): readonly ErrorObject[] {
  const alternatives: readonly unknown[] = Array.isArray(choice.schema) ? choice.schema : []
  const meant = findMeantAlternative(alternatives, choice.data)
  if (meant === undefined) return [findWrongConstant(choice, alternatives) ?? choice]
  const alternative = alternatives[meant]
  const isReference = isJsonObject(alternative) && '$ref' in alternative
  const own = inside.filter(({ schemaPath }) =>
    isReference
      ? !schemaPath.startsWith(`${choice.schemaPath}/`)
      : schemaPath.startsWith(`${choice.schemaPath}/${meant}/`),
  )
  return own.length === 0 ? [choice] : own
}

/** The index of the only alternative of the value's type, or the only one whose constants agree with it. */
function findMeantAlternative(
  alternatives: readonly unknown[],
  value: unknown,
): number | undefined {
  const indices = alternatives.map((_, index) => index)
  const typed = indices.filter((index) => allowsType(alternatives[index], value))
  if (typed.length === 1) return typed[0]
  const agreeing = typed.filter((index) => agreesOnConstants(alternatives[index], value))
  return agreeing.length === 1 ? agreeing[0] : undefined
}

/**
 * The error of the property that tells the alternatives apart, where each alternative for this kind of value has a constant of that name, and the value
 * agrees with none.
 */
function findWrongConstant(
  choice: ErrorObject,
  alternatives: readonly unknown[],
): ErrorObject | undefined {
  const value: unknown = choice.data
  if (!isJsonObject(value)) return undefined
  const typed = alternatives.filter((alternative) => allowsType(alternative, value))
  const [first = [], ...others] = typed.map(getConstants)
  for (const { name, constant } of first) {
    const same = others.flatMap((constants) => constants.filter((other) => other.name === name))
    const allowed = [...new Set([constant, ...same.map((other) => other.constant)])]
    if (same.length < others.length || allowed.includes(getOwnField(value, name))) continue
    if (!Object.hasOwn(value, name)) {
      if (!typed.every((alternative) => requires(alternative, name))) continue
      const parentSchema = { properties: { [name]: { enum: allowed } } }
      return { ...choice, keyword: 'required', params: { missingProperty: name }, parentSchema }
    }
    const instancePath = appendPointer(choice.instancePath, name)
    const params = { allowedValues: allowed }
    return { ...choice, keyword: 'enum', instancePath, params, data: value[name] }
  }
  return undefined
}

function requires(schema: unknown, name: string): boolean {
  const required: unknown = isJsonObject(schema) ? schema['required'] : undefined
  return Array.isArray(required) && required.includes(name)
}

function allowsType(alternative: unknown, value: unknown): boolean {
  if (!isJsonObject(alternative)) return alternative === true
  const type = alternative['type']
  if (type === undefined) return true
  const types: readonly unknown[] = Array.isArray(type) ? type : [type]
  if (value === null) return types.includes('null')
  if (Array.isArray(value)) return types.includes('array')
  if (typeof value === 'number') return types.includes('number') || types.includes('integer')
  return types.includes(typeof value)
}

function agreesOnConstants(alternative: unknown, value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const constants = getConstants(alternative)
  return (
    constants.length > 0 &&
    constants.every(({ name, constant }) => getOwnField(value, name) === constant)
  )
}

/** The properties of an alternative that have one value only. */
function getConstants(alternative: unknown): readonly { name: string; constant: unknown }[] {
  const properties = isJsonObject(alternative) ? alternative['properties'] : undefined
  if (!isJsonObject(properties)) return []
  return Object.entries(properties).flatMap(([name, property]) =>
    isJsonObject(property) && 'const' in property ? [{ name, constant: property['const'] }] : [],
  )
}
