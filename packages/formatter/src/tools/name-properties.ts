import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import {
  getOwnField,
  appendPointer,
  followReference,
  isLocalReference,
  splitPointer,
  SCHEMA_MAPS,
  mapSchema,
} from '@toolblocks/protocol/internal'
import { type ParameterNames, type NameMap, createNameMap, fitsRule } from './tool-names.ts'
import type { PropertyRule } from '../model/model-profile.ts'
import type { RequestChange } from './request-change.ts'

/** A schema whose property names are valid for a provider. */
interface NamedSchema {
  schema: JsonObject
  /** Present if names were changed. */
  parameters?: ParameterNames
  /** Returns the provider's name of a property of the root. */
  toName(name: string): string
  changes: readonly RequestChange[]
}

/** Renames properties by a rule: a name is the same wherever the schema has it, and two names never become one. */
export function nameProperties(
  schema: JsonObject & { properties: JsonObject },
  rule: PropertyRule,
): NamedSchema {
  const isDeep = rule.isDeep ?? false
  const checked = isDeep ? propertiesIn(schema) : placeAtRoot(schema.properties)
  if (checked.every(({ name }) => fitsRule(name, rule)))
    return { schema, toName: keepName, changes: [] }
  const names = createNameMap(
    checked.map(({ name }) => name),
    rule,
  )
  const known = isDeep ? schema : withoutInside(schema)
  const rename = (
    callArguments: JsonObject,
    renaming: Parameters<typeof renameArguments>[2],
  ): JsonObject => {
    const value = renameArguments(callArguments, known, renaming)
    return isJsonObject(value) ? value : callArguments
  }
  return {
    schema: renameProperties(schema, names, { isDeep }),
    toName: names.to,
    parameters: {
      toProvider: (callArguments) => rename(callArguments, { toName: keepName, rename: names.to }),
      fromProvider: (callArguments) =>
        rename(callArguments, { toName: names.from, rename: keepName }),
    },
    changes: checked
      .filter(({ name }) => names.to(name) !== name)
      .map(({ name, path }) => ({
        path,
        code: 'parameter-renamed',
        message: `called ${names.to(name)} for this provider`,
      })),
  }
}

function keepName(name: string): string {
  return name
}

function placeAtRoot(properties: JsonObject): readonly { name: string; path: string }[] {
  return Object.keys(properties).map((name) => ({ name, path: appendPointer('/properties', name) }))
}

/** Properties below the root keep their names. */
function withoutInside({ properties }: { properties: JsonObject }): JsonObject {
  return { properties: Object.fromEntries(Object.keys(properties).map((name) => [name, {}])) }
}

/** Keywords whose values are keyed by property names. */
const KEYED = ['properties', 'dependentRequired', 'dependentSchemas', 'dependencies'] as const

/** Returns every property of a schema, at any depth, with its path. */
function propertiesIn(schema: JsonObject): readonly { name: string; path: string }[] {
  const entries: { name: string; path: string }[] = []
  mapSchema(schema, (part, path) => {
    const properties = getOwnField(part, 'properties')
    if (isJsonObject(properties))
      for (const name of Object.keys(properties))
        entries.push({ name, path: appendPointer(`${path}/properties`, name) })
    return part
  })
  return entries
}

/** Returns the schema with renamed properties, everywhere, or only at its root. */
function renameProperties(
  schema: JsonObject,
  { to }: NameMap,
  { isDeep }: { isDeep: boolean },
): JsonObject {
  return mapSchema(schema, (part, path) => {
    const renameWith: Record<string, unknown> = { ...part }
    const reference = getOwnField(part, '$ref')
    if (isLocalReference(reference)) renameWith['$ref'] = renameSteps(reference, to, { isDeep })
    if (path !== '' && !isDeep) return renameWith
    for (const keyword of KEYED) {
      const named = getOwnField(part, keyword)
      if (isJsonObject(named))
        renameWith[keyword] = Object.fromEntries(
          Object.entries(named).map(([name, value]) => [to(name), renameAll(value, to)]),
        )
    }
    if (Object.hasOwn(part, 'required')) renameWith['required'] = renameAll(part['required'], to)
    return renameWith
  })
}

function renameAll(names: unknown, to: NameMap['to']): unknown {
  if (!Array.isArray(names)) return names
  return names.map((name: unknown) => (typeof name === 'string' ? to(name) : name))
}

/** A property name follows `properties`, unless that is a property name itself. */
function renameSteps(
  reference: string,
  to: NameMap['to'],
  { isDeep }: { isDeep: boolean },
): string {
  let before = ''
  const steps = reference.split('/').map((step, index) => {
    const keyword = before
    before = SCHEMA_MAPS.has(before) ? '' : step
    if (keyword !== 'properties' || (index > 2 && !isDeep)) return step
    const name = readStep(step)
    return to(name) === name ? step : appendPointer('', to(name)).slice(1)
  })
  return steps.join('/')
}

function readStep(step: string): string {
  try {
    return splitPointer(`/${decodeURIComponent(step)}`).join('/')
  } catch {
    return step
  }
}

/** Renames the properties of a value that its schema has, at any depth. Other keys, such as those of a map, are the model's own and stay. */
function renameArguments(
  value: unknown,
  root: JsonObject,
  renaming: { toName(key: string): string; rename(name: string): string },
): unknown {
  const inPlace = new Map<JsonObject, readonly JsonObject[]>()

  /** Returns a schema with all schemas that apply to the same value. */
  function findAppliedSchemas(schema: JsonObject): readonly JsonObject[] {
    const known = inPlace.get(schema)
    if (known) return known
    const applied = new Set<JsonObject>([schema])
    for (const each of applied) for (const next of findSchemasInPlace(each, root)) applied.add(next)
    const all = [...applied]
    inPlace.set(schema, all)
    return all
  }

  function renameWith(part: unknown, schemas: readonly JsonObject[]): unknown {
    const known = [...new Set(schemas.flatMap(findAppliedSchemas))]
    if (known.length === 0) return part
    if (Array.isArray(part))
      return part.map((item: unknown, index) => renameWith(item, getItems(known, index)))
    if (!isJsonObject(part)) return part
    return Object.fromEntries(
      Object.entries(part).map(([key, item]) => {
        const name = renaming.toName(key)
        const named = schemasAt(known, 'properties', name)
        if (named.length > 0) return [renaming.rename(name), renameWith(item, named)]
        return [key, renameWith(item, getOthers(known))]
      }),
    )
  }

  return renameWith(value, [root])
}

function findSchemasInPlace(schema: JsonObject, root: JsonObject): readonly JsonObject[] {
  const target = followReference(root, getOwnField(schema, '$ref'))?.schema
  const lists = ['allOf', 'anyOf', 'oneOf'].map((keyword) => getOwnField(schema, keyword))
  const single = ['if', 'then', 'else'].map((keyword) => getOwnField(schema, keyword))
  const dependent = getOwnField(schema, 'dependentSchemas')
  return [
    target,
    ...single,
    ...lists.flatMap((list: unknown): unknown[] => (Array.isArray(list) ? list : [])),
    ...(isJsonObject(dependent) ? Object.values(dependent) : []),
  ].filter(isJsonObject)
}

function schemasAt(
  schemas: readonly JsonObject[],
  keyword: string,
  name: string,
): readonly JsonObject[] {
  return schemas.flatMap((schema) => {
    const named = getOwnField(schema, keyword)
    const property = isJsonObject(named) && Object.hasOwn(named, name) ? named[name] : undefined
    if (property === undefined) return []
    return [isJsonObject(property) ? property : {}]
  })
}

function getItems(schemas: readonly JsonObject[], index: number): readonly JsonObject[] {
  return schemas.flatMap((schema) => {
    const items = getOwnField(schema, 'items')
    const prefix = getOwnField(schema, 'prefixItems')
    const listed: unknown = Array.isArray(items) ? items : prefix
    const prefixItem: unknown = Array.isArray(listed) ? listed[index] : undefined
    const rest = Array.isArray(items) ? getOwnField(schema, 'additionalItems') : items
    return [prefixItem ?? rest].filter(isJsonObject)
  })
}

/** Returns the schemas for a property without one of its own. */
function getOthers(schemas: readonly JsonObject[]): readonly JsonObject[] {
  return schemas.flatMap((schema) => {
    const patterns = getOwnField(schema, 'patternProperties')
    return [
      ...(isJsonObject(patterns) ? Object.values(patterns) : []),
      getOwnField(schema, 'additionalProperties'),
    ].filter(isJsonObject)
  })
}
