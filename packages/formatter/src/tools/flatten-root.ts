import {
  ANNOTATION_KEYWORDS,
  appendPointer,
  field,
  followReference,
  isJsonObject,
  isLocalReference,
  type JsonObject,
  mapSchema,
  pointerSteps,
} from '@toolblocks/protocol'
import { createShapeReader, schemaOf, type ShapeReader } from './read-shape.ts'

/** Providers refuse these at the root, and with them the whole request. */
const REFUSED = ['allOf', 'anyOf', 'oneOf', 'not', 'enum', 'const'] as const

/** A root without composition. */
export interface FlatRoot {
  schema: JsonObject
  /** What of the root is said in words. Absent: nothing has to be. */
  moved?: { root: JsonObject; keywords: readonly string[]; reader: ShapeReader }
}

/** What may stand beside a reference without refusing anything. */
const BESIDE: ReadonlySet<string> = new Set([
  ...ANNOTATION_KEYWORDS,
  '$defs',
  '$id',
  '$schema',
  'definitions',
  'type',
])

/**
 * Takes the branches of a root together. A value that fits the given schema, and has only properties that the branch names which it
 * fits, fits the result: a property of several branches is what any of them takes, and required is what all require.
 */
export function flattenRoot(given: JsonObject): FlatRoot {
  const root = followRoot(given)
  const keywords = REFUSED.filter((keyword) => Object.hasOwn(root, keyword))
  if (keywords.length === 0) return { schema: root }
  const reader = createShapeReader(given)
  const { properties, required, isClosed } = reader.shapeOf(root)
  const kept = Object.fromEntries(
    Object.entries(root).filter(([key]) => !REFUSED.some((keyword) => keyword === key)),
  )
  const { required: _, ...others } = kept
  const flat = {
    ...others,
    properties: Object.fromEntries(
      [...properties].map(([name, property]) => [name, schemaOf(property)]),
    ),
    ...(required.size > 0 && { required: [...required] }),
    ...(isClosed && { additionalProperties: field(root, 'additionalProperties') ?? false }),
  }
  return { schema: keepReferences(flat, given), moved: { root, keywords, reader } }
}

/** What the root is, behind its references; what stands beside them stays. */
function followRoot(given: JsonObject): JsonObject {
  let root = given
  const seen = new Set<JsonObject>()
  for (;;) {
    const { $ref: reference, ...beside } = root
    if (reference === undefined) return root
    const place = followReference(given, reference)?.schema
    if (!isJsonObject(place) || seen.has(place)) return beside
    seen.add(place)
    if (Object.keys(beside).every((keyword) => BESIDE.has(keyword))) root = { ...place, ...beside }
    else {
      const members = field(beside, 'allOf')
      return { ...beside, allOf: [...(Array.isArray(members) ? members : []), place] }
    }
  }
}

/** References to the root, or through it, find it as it was among the definitions. */
function keepReferences(flat: JsonObject, given: JsonObject): JsonObject {
  let isReferred = false
  mapSchema(flat, (part) => {
    isReferred ||= leadsThroughRoot(field(part, '$ref'))
    return part
  })
  if (!isReferred) return flat
  const { $defs, definitions: _, $schema: __, $id: ___, ...root } = given
  const known = isJsonObject($defs) ? $defs : {}
  let name = 'root'
  while (Object.hasOwn(known, name)) name += '_'
  const start = `#${appendPointer('/$defs', name)}`
  return mapSchema({ ...flat, $defs: { ...known, [name]: root } }, (part) => {
    const reference = field(part, '$ref')
    return leadsThroughRoot(reference) ? { ...part, $ref: start + reference.slice(1) } : part
  })
}

function leadsThroughRoot(reference: unknown): reference is string {
  if (!isLocalReference(reference)) return false
  const [first] = pointerSteps(reference)
  return first !== '$defs' && first !== 'definitions'
}
