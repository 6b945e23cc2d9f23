import { type JsonObject, type JsonSchema, getOwnField, isJsonObject } from '../json/json.ts'
import { appendPointer, followReference, isLocalReference } from '../json/json-pointer.ts'
import type { Problem } from '../json/problem.ts'
import { MAX_SCHEMA_DEPTH } from '../limits/limits.ts'
import { mapSchema } from './map-schema.ts'
import { describeValue } from '../text/describe-value.ts'
import {
  correctKeyword,
  correctNames,
  hasType,
  isPattern,
  KEYWORD_KINDS,
  readTypeName,
} from './correct-keyword.ts'

/** A corrected schema, and what was wrong with the given one. */
export interface CorrectedSchema<Schema extends JsonSchema> {
  /** Valid by the meta-schema of draft 2020-12. */
  schema: Schema
  /** Paths are in the given schema. */
  corrections: readonly Problem[]
}

/** Where a schema is, and where corrections are reported. */
interface Position {
  path: string
  depth: number
  /** Paths of the targets of references. */
  targets: ReadonlySet<string>
  /** Paths of everything that has such a target inside. */
  above: ReadonlySet<string>
  /** Paths of all schemas, in the given schema. */
  schemas: Set<string>
  report(path: string, message: string): void
}

const corrected = new WeakMap<JsonObject, CorrectedSchema<JsonObject>>()

/**
 * Returns a valid JSON Schema of draft 2020-12 for any object; `true` and `false` stay. A provider of a model refuses a complete request if one schema in it is invalid. What is
 * meant is kept where it is clear: `required` among the properties, `required: true` at a property, `"String"` as a type, `"10"` as a number. Any
 * other invalid keyword is omitted, so the schema accepts more. Listed values that contradict the type beside them are corrected too. Tuples of older
 * drafts are written in the newer form, which is not reported. The given schema does not change. Never throws.
 */
export function correctSchema<Schema extends JsonSchema>(schema: Schema): CorrectedSchema<Schema> {
  if (!isJsonObject(schema)) return { schema, corrections: [] }
  const made = corrected.get(schema) ?? correctRoot(schema)
  corrected.set(schema, made)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object stays an object
  return made as CorrectedSchema<Schema>
}

function correctRoot(root: JsonObject): CorrectedSchema<JsonObject> {
  const corrections: Problem[] = []
  const targets = findTargets(root)
  const position: Position = {
    path: '',
    depth: 0,
    targets,
    above: new Set([...targets].flatMap(getPathsAbove)),
    schemas: new Set(['']),
    report: (path, message) => corrections.push({ path, message }),
  }
  return { schema: correctReferences(correctObject(root, position), root, position), corrections }
}

function correctObject(schema: JsonObject, position: Position): JsonObject {
  const entries = Object.entries(
    withRequired(withBounds(withTuple(schema), position), position),
  ).flatMap(([keyword, value]): [string, unknown][] => {
    const read = correctEntry(keyword, value, position)
    return read === undefined ? [] : [[keyword, read]]
  })
  return correctListed(Object.fromEntries(entries), position)
}

/** Returns the corrected value of a keyword; `undefined` if it is omitted. Unknown keywords stay. */
function correctEntry(keyword: string, value: unknown, position: Position): unknown {
  const path = appendPointer(position.path, keyword)
  const omitted = (expected: string): undefined => {
    position.report(path, `expected ${expected}, got ${describeValue(value)}: it is ignored`)
    return undefined
  }
  if (keyword === 'type') return correctType(value, path, position)
  const kind = KEYWORD_KINDS.get(keyword)
  switch (kind) {
    case undefined:
      if (keyword === '$id' && !(typeof value === 'string' && /^[^#]*#?$/.test(value)))
        return omitted('the address of a schema')
      if (keyword === '$vocabulary') return omitted('no vocabulary')
      return DATA.has(keyword) ? value : correctTargets(value, path, position)
    case 'schema':
      return correctPart(value, path, position) ?? omitted('a schema')
    case 'schemas': {
      if (!Array.isArray(value) || value.length === 0) return omitted('a list of schemas')
      return value.map((part: unknown, index) => {
        const partPath = appendPointer(path, index)
        return correctPart(part, partPath, position) ?? unknownPart(part, partPath, position)
      })
    }
    case 'named-schemas':
    case 'named-schemas-or-names':
      return isJsonObject(value)
        ? correctNamed(value, path, { ...position, keyword })
        : omitted('an object with a schema under each name')
    case 'anchor':
    case 'boolean':
    case 'count':
    case 'list':
    case 'named-names':
    case 'names':
    case 'number':
    case 'pattern':
    case 'positive-number':
    case 'text': {
      const read = correctKeyword(kind, value)
      if (read === undefined) return omitted(EXPECTED[kind])
      if (JSON.stringify(read) !== JSON.stringify(value))
        position.report(
          path,
          `expected ${EXPECTED[kind]}, got ${describeValue(value)}: it is read as ${describeValue(read)}`,
        )
      return read
    }
  }
}

const EXPECTED = {
  'named-names': 'an object with a list of names under each name',
  names: 'a list of different names',
  text: 'a string',
  boolean: 'true or false',
  number: 'a number',
  'positive-number': 'a number above 0',
  count: 'an integer of 0 or more',
  pattern: 'a regular expression',
  list: 'a list of values',
  anchor: 'a name of letters, digits, "-", "." and "_"',
} as const

/** Keywords whose value is data. */
const DATA: ReadonlySet<string> = new Set(['const', 'default'])

/** Corrects the schemas in the value of an unknown keyword. Only a reference makes a part of it a schema. */
function correctTargets(value: unknown, path: string, position: Position): unknown {
  if (typeof value !== 'object' || value === null || position.depth > MAX_SCHEMA_DEPTH) return value
  if (position.targets.has(path)) return correctPart(value, path, position) ?? value
  if (!position.above.has(path)) return value
  const inside = { ...position, depth: position.depth + 1 }
  if (Array.isArray(value))
    return value.map((each, index) => correctTargets(each, appendPointer(path, index), inside))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      correctTargets(each, appendPointer(path, name), inside),
    ]),
  )
}

/** Returns the paths of everything that a reference names. */
function findTargets(root: JsonObject): ReadonlySet<string> {
  const targets = new Set<string>()
  try {
    JSON.stringify(root, (key, value: unknown) => {
      const target = key === '$ref' ? followReference(root, value) : undefined
      if (target) targets.add(target.path)
      return value
    })
  } catch {
    // A cycle or too many levels, which only a tool in this process can have: what is that deep is not read.
  }
  return targets
}

function getPathsAbove(path: string): readonly string[] {
  const ends = [...path.matchAll(/\//g)].map(({ index }) => index)
  return ends.map((end) => path.slice(0, end))
}

function correctNamed(
  named: JsonObject,
  path: string,
  position: Position & { keyword: string },
): JsonObject {
  const parts = Object.entries(named).flatMap(([name, part]): [string, unknown][] => {
    const partPath = appendPointer(path, name)
    if (position.keyword === 'patternProperties' && !isPattern(name)) {
      position.report(partPath, 'expected a regular expression as the name: it is ignored')
      return []
    }
    const names =
      position.keyword === 'dependencies' && Array.isArray(part) ? correctNames(part) : undefined
    if (names) return [[name, names]]
    return [[name, correctPart(part, partPath, position) ?? unknownPart(part, partPath, position)]]
  })
  return Object.fromEntries(parts)
}

/** Returns a subschema; `undefined` if the value is not one. Below the maximum depth, a schema accepts anything. */
function correctPart(part: unknown, path: string, position: Position): JsonSchema | undefined {
  if (typeof part !== 'boolean' && !isJsonObject(part)) return undefined
  position.schemas.add(path)
  if (typeof part === 'boolean') return part
  if (position.depth < MAX_SCHEMA_DEPTH)
    return correctObject(part, { ...position, path, depth: position.depth + 1 })
  position.report(path, `nests deeper than ${MAX_SCHEMA_DEPTH} levels: any value is accepted here`)
  return {}
}

/** A name of a type stands for a schema with that type. Anything else says nothing about the value. */
function unknownPart(part: unknown, path: string, position: Position): JsonObject {
  const type = readTypeName(part)
  const read = type === undefined ? 'any value is accepted here' : `it is read as the type ${type}`
  position.report(path, `expected a schema, got ${describeValue(part)}: ${read}`)
  return type === undefined ? {} : { type }
}

function correctType(value: unknown, path: string, position: Position): unknown {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value]
  const types = [...new Set(names.map(readTypeName).filter((type) => type !== undefined))]
  const isWhole = names.every((name) => readTypeName(name) !== undefined)
  // With an unknown name, values of that type would be refused.
  const read = !isWhole || types.length === 0 ? undefined : Array.isArray(value) ? types : types[0]
  if (JSON.stringify(read) === JSON.stringify(value)) return read
  const effect =
    read === undefined ? 'any type is accepted' : `it is read as ${JSON.stringify(read)}`
  position.report(path, `expected a type of JSON Schema, got ${describeValue(value)}: ${effect}`)
  return read
}

/** In draft-04, an exclusive bound is `true` beside the bound. */
function withBounds(schema: JsonObject, position: Position): JsonObject {
  const read: Record<string, unknown> = { ...schema }
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const value = getOwnField(schema, exclusive)
    if (typeof value !== 'boolean') continue
    delete read[exclusive]
    const isBound = value && typeof getOwnField(schema, bound) === 'number'
    if (isBound) {
      read[exclusive] = schema[bound]
      delete read[bound]
    }
    const effect = isBound ? `"${bound}" is read as "${exclusive}"` : 'it is ignored'
    position.report(
      appendPointer(position.path, exclusive),
      `expected a number, got ${value}: ${effect}`,
    )
  }
  return read
}

/** A tuple of draft-07 is a list of schemas as `items`. */
function withTuple(schema: JsonObject): JsonObject {
  const items = getOwnField(schema, 'items')
  if (!Array.isArray(items)) return schema
  const { items: _, additionalItems: rest, ...others } = schema
  return {
    ...others,
    ...(items.length > 0 && { prefixItems: items }),
    ...(rest !== undefined && { items: rest }),
  }
}

/** Moves `required` to its place, from among the properties and from a property. */
function withRequired(schema: JsonObject, position: Position): JsonObject {
  const properties = getOwnField(schema, 'properties')
  if (!isJsonObject(properties)) return withoutOwnRequired(schema, position)
  const inside = appendPointer(position.path, 'properties')
  const misplaced = properties['required']
  const named = Array.isArray(misplaced)
    ? misplaced.filter(
        (name) =>
          typeof name === 'string' && name !== 'required' && Object.hasOwn(properties, name),
      )
    : []
  if (Array.isArray(misplaced))
    position.report(
      appendPointer(inside, 'required'),
      'the list "required" is among the properties: it is read as the list beside them',
    )
  const marked = Object.entries(properties).flatMap(([name, part]) =>
    isJsonObject(part) && getOwnField(part, 'required') === true ? [name] : [],
  )
  const added = [...named, ...marked]
  const { required, ...others } = withoutOwnRequired(schema, position)
  const own = correctNames(required) ?? []
  if (added.length === 0 && !Array.isArray(misplaced))
    return { ...others, ...(required !== undefined && { required }) }
  const kept = Object.entries(properties).filter(
    ([name]) => name !== 'required' || !Array.isArray(misplaced),
  )
  return {
    ...others,
    properties: Object.fromEntries(kept),
    ...(own.length + added.length > 0 && { required: [...new Set([...own, ...added])] }),
  }
}

/** `required: true` and `false` of draft-03 belong to the object that has the property. */
function withoutOwnRequired(schema: JsonObject, position: Position): JsonObject {
  const { required, ...others } = schema
  if (typeof required !== 'boolean') return schema
  position.report(
    appendPointer(position.path, 'required'),
    `expected a list of names, got ${required}: it is read as ${required ? 'required' : 'optional'} in the object above`,
  )
  return others
}

/** Corrects listed values that contradict the type beside them, which no value could match. */
function correctListed(schema: JsonObject, position: Position): JsonObject {
  const { type } = schema
  const named: readonly unknown[] = Array.isArray(type) ? type : [type]
  const isNullable = getOwnField(schema, 'nullable') === true
  const types =
    type === undefined
      ? undefined
      : [...named.filter((each) => typeof each === 'string'), ...(isNullable ? ['null'] : [])]
  const read: Record<string, unknown> = { ...schema }
  const listed = getOwnField(schema, 'enum')
  if (Array.isArray(listed)) {
    const once = [
      ...new Map(listed.map((value: unknown) => [JSON.stringify(value), value])).values(),
    ]
    const fitting = types ? once.filter((value) => hasType(value, types)) : once
    const counts =
      fitting.length > 0 ? 'others' : once.length === 0 || type === 'null' ? 'type' : 'values'
    if (counts === 'others') read['enum'] = fitting
    else delete read[counts === 'type' ? 'enum' : 'type']
    const path = appendPointer(position.path, 'enum')
    if (once.length === 0)
      position.report(path, 'expected a list of values, got an empty list: it is ignored')
    else if (fitting.length < once.length)
      position.report(
        path,
        `values do not have the type ${JSON.stringify(type)} beside them: only the ${counts} ${counts === 'type' ? 'counts' : 'count'}`,
      )
    else if (once.length < listed.length)
      position.report(path, 'a value is listed twice: it counts once')
  }
  if (types && Object.hasOwn(schema, 'const') && !hasType(schema['const'], types)) {
    delete read[type === 'null' ? 'const' : 'type']
    position.report(
      appendPointer(position.path, 'const'),
      `the value does not have the type ${JSON.stringify(type)} beside it: ${type === 'null' ? 'the type counts' : 'the value counts'}`,
    )
  }
  return read
}

/** Corrects references without a target. One that names a definition in another way is read as that definition. */
function correctReferences(root: JsonObject, original: JsonObject, position: Position): JsonObject {
  const anchors = new Set<unknown>()
  mapSchema(root, (schema) => {
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = getOwnField(schema, keyword)
      if (typeof name === 'string') anchors.add(`#${name}`)
    }
    return schema
  })
  const isReachable = (reference: string): boolean => {
    const path = isLocalReference(reference)
      ? followReference(original, reference)?.path
      : undefined
    const target = followReference(root, reference)?.schema
    const isSchema = isJsonObject(target) || typeof target === 'boolean'
    return path !== undefined && position.schemas.has(path) && isSchema
  }
  return mapSchema(root, (schema, path) => {
    const { $ref: reference, ...beside } = schema
    if (typeof reference !== 'string' || anchors.has(reference) || isReachable(reference))
      return schema
    const target = nameDefinitions(reference).find(isReachable)
    const read = target === undefined ? 'it is ignored' : `it is read as ${JSON.stringify(target)}`
    position.report(
      appendPointer(path, '$ref'),
      `the schema does not contain ${JSON.stringify(reference)}: ${read}`,
    )
    return target === undefined ? beside : { ...beside, $ref: target }
  })
}

function nameDefinitions(reference: string): readonly string[] {
  const name = reference.split(/[/#]/).at(-1) ?? ''
  return name === '' ? [] : [`#/$defs/${name}`, `#/definitions/${name}`]
}
