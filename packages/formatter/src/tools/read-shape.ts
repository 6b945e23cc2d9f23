import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, followReference, MAX_SCHEMA_DEPTH } from '@toolblocks/protocol/internal'
import { intersectSchemas, mergeAlternatives } from './merge-schemas.ts'

/** A property of a schema with branches. */
interface NamedProperty {
  /** Schemas of which some apply, depending on the branch of a value. */
  alternatives: ReadonlySet<unknown>
  /** Whether they apply in every branch: a value with this property matches one of them in any branch. */
  isCertain: boolean
}

/** The object that a schema describes, with its branches combined: it matches values that have only the properties of their branch. */
export interface ObjectShape {
  properties: ReadonlyMap<string, NamedProperty>
  /** The properties that every branch requires. */
  required: ReadonlySet<string>
  /** Whether no branch accepts other properties. */
  isClosed: boolean
}

/** Branches of which a value must match one. */
export interface Union {
  keyword: 'anyOf' | 'oneOf'
  branches: readonly JsonObject[]
}

/** Reads the object shapes of one schema document. */
export interface ShapeReader {
  readShape(schema: JsonObject): ObjectShape
  /** Returns the schema and all that apply with it: the target of its reference, and the members of its `allOf`. */
  readConjuncts(schema: JsonObject): readonly JsonObject[]
  readUnions(schema: JsonObject): readonly Union[]
}

/** Nothing is known. */
const ANY: ObjectShape = { properties: new Map(), required: new Set(), isClosed: false }

/** Each part is read once, however often it is referenced. */
export function createShapeReader(root: JsonObject): ShapeReader {
  const shapes = new Map<JsonObject, ObjectShape>()
  let isTooDeep = false

  function read(schema: JsonObject, depth: number): ObjectShape {
    const known = shapes.get(schema)
    if (known) return known
    // No finite value matches a schema that is its own branch.
    shapes.set(schema, ANY)
    isTooDeep ||= depth > MAX_SCHEMA_DEPTH
    if (isTooDeep) return ANY
    const readNext = (next: JsonObject): ObjectShape => read(next, depth + 1)
    const shape = intersectShapes([
      ownShape(schema),
      ...getMembers(schema).map(readNext),
      ...getAlternatives(schema).map((branches) => uniteShapes(branches.map(readNext))),
    ])
    shapes.set(schema, shape)
    return shape
  }

  function getMembers(schema: JsonObject): readonly JsonObject[] {
    const target = followReference(root, getOwnField(schema, '$ref'))?.schema
    return [...(isJsonObject(target) ? [target] : []), ...getList(schema, 'allOf')]
  }

  function unionsIn(schema: JsonObject): readonly Union[] {
    return (['oneOf', 'anyOf'] as const).flatMap((keyword) => {
      const branches = getList(schema, keyword).filter((branch) =>
        getConjuncts(branch).every(mayBeObject),
      )
      return branches.length === 0 ? [] : [{ keyword, branches }]
    })
  }

  /** Returns the alternatives, also those that are no choice for the model. */
  function getAlternatives(schema: JsonObject): readonly (readonly JsonObject[])[] {
    const conditional = ['then', 'else'].map((keyword) => getOwnField(schema, keyword))
    const dependent = getOwnField(schema, 'dependentSchemas')
    return [
      ...unionsIn(schema).map(({ branches }) => branches),
      ...(Object.hasOwn(schema, 'if') ? [conditional.map(toSchemaObject)] : []),
      ...(isJsonObject(dependent)
        ? Object.values(dependent).map((each) => [toSchemaObject(each), {}])
        : []),
    ]
  }

  function getConjuncts(schema: JsonObject): readonly JsonObject[] {
    const conjuncts = new Set([schema])
    for (const each of conjuncts) for (const member of getMembers(each)) conjuncts.add(member)
    return [...conjuncts]
  }

  return {
    readShape: (schema) => {
      const shape = read(schema, 0)
      // The schema's own constraints apply in every branch.
      return isTooDeep ? ownShape(schema) : shape
    },
    readConjuncts: getConjuncts,
    readUnions: (schema) => getConjuncts(schema).flatMap(unionsIn),
  }
}

/** Returns what a property accepts: what any branch accepts for it. */
export function getSchema({ alternatives }: NamedProperty): unknown {
  return mergeAlternatives([...alternatives])
}

function ownShape(schema: JsonObject): ObjectShape {
  const properties = getOwnField(schema, 'properties')
  const required = getOwnField(schema, 'required')
  const named = isJsonObject(properties) ? Object.entries(properties) : []
  return {
    properties: new Map(
      named.map(([name, property]) => [
        name,
        { alternatives: new Set([property]), isCertain: true },
      ]),
    ),
    required: new Set(
      Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [],
    ),
    isClosed:
      getOwnField(schema, 'additionalProperties') === false &&
      !Object.hasOwn(schema, 'patternProperties'),
  }
}

/** A value matches every part, and may have the properties of any. */
function intersectShapes(parts: readonly ObjectShape[]): ObjectShape {
  const byName = new Map<string, NamedProperty[]>()
  for (const { properties } of parts)
    for (const [name, property] of properties) push(byName, name, property)
  const properties = [...byName].map(([name, all]): [string, NamedProperty] => {
    const certain = all.filter(({ isCertain }) => isCertain)
    const [only, ...others] = certain
    if (!only) return [name, { alternatives: collectAlternatives(all), isCertain: false }]
    if (others.length === 0) return [name, only]
    return [
      name,
      { alternatives: new Set([intersectSchemas(certain.map(getSchema))]), isCertain: true },
    ]
  })
  return {
    properties: new Map(properties),
    required: new Set(parts.flatMap(({ required }) => [...required])),
    isClosed: parts.some(({ isClosed }) => isClosed),
  }
}

/** A value matches one of the branches. */
function uniteShapes(branches: readonly ObjectShape[]): ObjectShape {
  const closed = branches.filter(({ isClosed }) => isClosed).length
  const byName = new Map<string, { all: NamedProperty[]; closed: number }>()
  for (const { properties, isClosed } of branches)
    for (const [name, property] of properties) {
      const known = byName.get(name) ?? { all: [], closed: 0 }
      known.all.push(property)
      if (isClosed) known.closed += 1
      byName.set(name, known)
    }
  const properties = [...byName].map(([name, known]): [string, NamedProperty] => {
    // A closed branch without the property refuses it.
    const speak = known.all.length + closed - known.closed
    const isCertain = speak === branches.length && known.all.every((each) => each.isCertain)
    return [name, { alternatives: collectAlternatives(known.all), isCertain }]
  })
  const [first, ...rest] = branches
  return {
    properties: new Map(properties),
    required: new Set(
      [...(first?.required ?? [])].filter((name) =>
        rest.every(({ required }) => required.has(name)),
      ),
    ),
    isClosed: branches.length > 0 && closed === branches.length,
  }
}

function push<Value>(lists: Map<string, Value[]>, name: string, value: Value): void {
  const list = lists.get(name)
  if (list) list.push(value)
  else lists.set(name, [value])
}

function collectAlternatives(properties: readonly NamedProperty[]): ReadonlySet<unknown> {
  return new Set(properties.flatMap(({ alternatives }) => [...alternatives]))
}

function getList(schema: JsonObject, keyword: string): readonly JsonObject[] {
  const list = getOwnField(schema, keyword)
  if (!Array.isArray(list)) return []
  return list.flatMap((branch: unknown): JsonObject[] => {
    if (branch === true) return [{}]
    return isJsonObject(branch) ? [branch] : []
  })
}

function toSchemaObject(schema: unknown): JsonObject {
  return isJsonObject(schema) ? schema : {}
}

/** Arguments are an object, so a branch for other values is never used. */
function mayBeObject(branch: JsonObject): boolean {
  const type = getOwnField(branch, 'type')
  if (type === undefined) return true
  return Array.isArray(type) ? type.includes('object') : type === 'object'
}
