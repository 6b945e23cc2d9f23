import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import {
  getOwnField,
  appendPointer,
  followReference,
  isLocalReference,
  splitPointer,
  ANNOTATION_KEYWORDS,
  mapSchema,
} from '@toolblocks/protocol/internal'
import { mergeAlternatives, valueInWords, findValues } from './merge-schemas.ts'
import {
  type ObjectShape,
  type ShapeReader,
  type Union,
  createShapeReader,
  getSchema,
} from './read-shape.ts'

const HEADS = {
  oneOf: 'Exactly one of these applies:',
  anyOf: 'At least one of these applies:',
} as const

/** Keywords that restrict values and have no words of their own. */
const CONSTRAINTS: ReadonlySet<string> = new Set([
  'const',
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'else',
  'enum',
  'if',
  'maxProperties',
  'minProperties',
  'not',
  'patternProperties',
  'propertyNames',
  'then',
])

/** Nested branches are described down to this depth. */
const LEVELS = 8

/** How the branches of a schema differ. */
interface UnionFacts {
  /** Properties whose values identify a branch. */
  telling: ReadonlySet<string>
  /** Properties with different values in different branches, except those that identify a branch. */
  differing: ReadonlySet<string>
  /** Properties that every branch has. */
  common: ReadonlySet<string>
  /** Properties that every branch requires. */
  required: ReadonlySet<string>
  areClosed: boolean
}

/** Describes what each branch of a schema needs (`op = add: needs v`). `toName` returns the provider's name of a property. */
export function describeBranches(
  schema: JsonObject,
  { reader, toName }: { reader: ShapeReader; toName(name: string): string },
): readonly string[] {
  const described = new Set<JsonObject>()
  const name = (own: string): string => valueInWords(toName(own))

  function describeUnions(parent: JsonObject, level: number): readonly string[] {
    if (level === LEVELS) return []
    const indent = '  '.repeat(level)
    return reader.readUnions(parent).flatMap((union) => {
      // A single branch is no choice, and a described branch is not described again.
      if (union.branches.length < 2 || union.branches.every((branch) => described.has(branch)))
        return []
      return [indent + HEADS[union.keyword], ...describeUnion(union, level)]
    })
  }

  function describeUnion({ branches }: Union, level: number): readonly string[] {
    for (const branch of branches) described.add(branch)
    const shapes = branches.map((branch) => ({ branch, shape: reader.readShape(branch) }))
    const facts = compare(shapes.map(({ shape }) => shape))
    return shapes.flatMap(({ branch, shape }) => [
      `${'  '.repeat(level)}- ${describeBranch(branch, shape, facts)}`,
      ...describeUnions(branch, level + 1),
    ])
  }

  function describeBranch(branch: JsonObject, shape: ObjectShape, facts: UnionFacts): string {
    const conjuncts = reader.readConjuncts(branch)
    const label = getLabel(shape, facts) || getText(conjuncts, 'title')
    const description = getText(conjuncts, 'description')
    const needs = [...shape.required].filter(
      (each) =>
        !facts.telling.has(each) && (!facts.required.has(each) || facts.differing.has(each)),
    )
    const may = [...shape.properties.keys()].filter(
      (each) =>
        !facts.telling.has(each) &&
        !shape.required.has(each) &&
        (!facts.common.has(each) || facts.differing.has(each)),
    )
    const formatNames = (names: readonly string[]): string =>
      names.map((each) => name(each) + typeInBrackets(each, shape, facts)).join(', ')
    const what = [
      ...(needs.length > 0 ? [`needs ${formatNames(needs)}`] : []),
      ...(may.length > 0 ? [`may have ${formatNames(may)}`] : []),
      ...(shape.isClosed && !facts.areClosed ? ['takes nothing else'] : []),
      ...conjuncts.map(findConstraints).flatMap((each) => (each ? [`must match ${each}`] : [])),
    ]
    return [
      label === '' ? '' : `${label}: `,
      what.length === 0 ? 'needs nothing else' : what.join('; '),
      description === '' ? '' : ` (${description})`,
    ].join('')
  }

  function getLabel({ properties }: ObjectShape, { telling }: UnionFacts): string {
    const labels = [...telling].flatMap((each) => {
      const property = properties.get(each)
      const values = property && findValues(getSchema(property))
      return values ? [`${name(each)} = ${values.map(valueInWords).join(' | ')}`] : []
    })
    return labels.join(', ')
  }

  return describeUnions(schema, 0)
}

/** Returns the constraints of a schema without words of their own, as JSON. */
export function findConstraints(schema: JsonObject): string | undefined {
  const constraints = Object.entries(schema).filter(([keyword]) => CONSTRAINTS.has(keyword))
  return constraints.length > 0 ? JSON.stringify(Object.fromEntries(constraints)) : undefined
}

function compare(shapes: readonly ObjectShape[]): UnionFacts {
  const formatNames = new Map<string, unknown[]>()
  const requiring = new Map<string, number>()
  for (const { properties, required } of shapes) {
    for (const [name, property] of properties) {
      const known = formatNames.get(name)
      if (known) known.push(getSchema(property))
      else formatNames.set(name, [getSchema(property)])
    }
    for (const name of required) requiring.set(name, (requiring.get(name) ?? 0) + 1)
  }
  const all = [...formatNames]
  const telling = getNames(all.filter(([, schemas]) => areDistinguishing(schemas)))
  const differing = all.filter(([name, schemas]) => !telling.has(name) && areDifferent(schemas))
  return {
    telling,
    differing: getNames(differing),
    common: getNames(all.filter(([, schemas]) => schemas.length === shapes.length)),
    required: getNames([...requiring].filter(([, count]) => count === shapes.length)),
    areClosed: shapes.every(({ isClosed }) => isClosed),
  }
}

function getNames(entries: readonly (readonly [string, unknown])[]): ReadonlySet<string> {
  return new Set(entries.map(([name]) => name))
}

function areDistinguishing(schemas: readonly unknown[]): boolean {
  const lists = schemas.map(findValues).filter((values) => values !== undefined)
  return lists.length > 1 && new Set(lists.map((values) => JSON.stringify(values))).size > 1
}

function areDifferent(schemas: readonly unknown[]): boolean {
  if (schemas.length < 2) return false
  const merged = mergeAlternatives(schemas)
  return (
    isJsonObject(merged) && (Object.hasOwn(merged, 'anyOf') || Object.keys(merged).length === 0)
  )
}

function typeInBrackets(name: string, { properties }: ObjectShape, facts: UnionFacts): string {
  const property = properties.get(name)
  const typeText = property && facts.differing.has(name) ? typeInWords(getSchema(property)) : ''
  return typeText === '' ? '' : ` (${typeText})`
}

function typeInWords(schema: unknown): string {
  if (!isJsonObject(schema)) return ''
  const values = findValues(schema)
  if (values) return values.map(valueInWords).join(' | ')
  const reference = getOwnField(schema, '$ref')
  if (typeof reference === 'string') return reference.split('/').at(-1) ?? ''
  const type = getOwnField(schema, 'type')
  const types: readonly unknown[] = Array.isArray(type) ? type : [type]
  return types.filter((each) => typeof each === 'string').join(' | ')
}

/** Returns the first text of a keyword, on one line. */
function getText(schemas: readonly JsonObject[], keyword: string): string {
  const text = schemas
    .map((schema) => getOwnField(schema, keyword))
    .find((each) => typeof each === 'string')
  return typeof text === 'string' ? text.replaceAll(/\s+/g, ' ').trim() : ''
}

/** Providers refuse these at the root, and then the complete request. */
const REFUSED = ['allOf', 'anyOf', 'oneOf', 'not', 'enum', 'const'] as const

/** A root schema without composition. */
export interface FlatRoot {
  schema: JsonObject
  /** The keywords that must be described in words. Absent: none. */
  moved?: { root: JsonObject; keywords: readonly string[]; reader: ShapeReader }
}

/** Keywords that may be beside a reference without restricting values. */
const BESIDE: ReadonlySet<string> = new Set([
  ...ANNOTATION_KEYWORDS,
  '$defs',
  '$id',
  '$schema',
  'definitions',
  'type',
])

/**
 * Combines the branches of a root schema. A value that matches the given schema, with only the properties of its branch, matches the result: a
 * property of several branches accepts what any of them accepts, and a property is required if all branches require it.
 */
export function flattenRoot(original: JsonObject): FlatRoot {
  const root = followRoot(original)
  const keywords = REFUSED.filter((keyword) => Object.hasOwn(root, keyword))
  if (keywords.length === 0) return { schema: root }
  const reader = createShapeReader(original)
  const { properties, required, isClosed } = reader.readShape(root)
  const kept = Object.fromEntries(
    Object.entries(root).filter(([key]) => !REFUSED.some((keyword) => keyword === key)),
  )
  const { required: _, ...others } = kept
  const flat = {
    ...others,
    properties: Object.fromEntries(
      [...properties].map(([name, property]) => [name, getSchema(property)]),
    ),
    ...(required.size > 0 && { required: [...required] }),
    ...(isClosed && { additionalProperties: getOwnField(root, 'additionalProperties') ?? false }),
  }
  return { schema: keepReferences(flat, original), moved: { root, keywords, reader } }
}

/** Resolves the references of the root. Keywords beside them stay. */
function followRoot(original: JsonObject): JsonObject {
  let root = original
  const seen = new Set<JsonObject>()
  for (;;) {
    const { $ref: reference, ...beside } = root
    if (reference === undefined) return root
    const target = followReference(original, reference)?.schema
    if (!isJsonObject(target) || seen.has(target)) return beside
    seen.add(target)
    if (Object.keys(beside).every((keyword) => BESIDE.has(keyword))) root = { ...target, ...beside }
    else {
      const members = getOwnField(beside, 'allOf')
      return { ...beside, allOf: [...(Array.isArray(members) ? members : []), target] }
    }
  }
}

/** References to the root, or through it, find the old root among the definitions. */
function keepReferences(flat: JsonObject, original: JsonObject): JsonObject {
  let isReferred = false
  mapSchema(flat, (part) => {
    isReferred ||= leadsThroughRoot(getOwnField(part, '$ref'))
    return part
  })
  if (!isReferred) return flat
  const { $defs, definitions: _, $schema: __, $id: ___, ...root } = original
  const known = isJsonObject($defs) ? $defs : {}
  let name = 'root'
  while (Object.hasOwn(known, name)) name += '_'
  const start = `#${appendPointer('/$defs', name)}`
  return mapSchema({ ...flat, $defs: { ...known, [name]: root } }, (part) => {
    const reference = getOwnField(part, '$ref')
    return leadsThroughRoot(reference) ? { ...part, $ref: start + reference.slice(1) } : part
  })
}

function leadsThroughRoot(reference: unknown): reference is string {
  if (!isLocalReference(reference)) return false
  const [first] = splitPointer(reference)
  return first !== '$defs' && first !== 'definitions'
}
