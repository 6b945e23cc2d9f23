import { type JsonObject, getOwnField, isJsonObject } from '../json/json.ts'
import { appendPointer, followReference, splitPointer } from '../json/json-pointer.ts'
import { MAX_SCHEMA_DEPTH } from '../limits/limits.ts'
import { ANNOTATION_KEYWORDS, mapSchema } from './map-schema.ts'

/** A definition up to this number of values is written at each reference. A larger one is written once. */
const MAX_INLINE = 200

/**
 * Moves the targets of references outside the properties, such as `$defs`, into the properties: in place of the reference or, if they are recursive
 * or large, once in the `$defs` of the first property that needs them. Then the properties alone have the meaning of the schema.
 */
export function withinProperties(root: JsonObject): JsonObject {
  const listed = getOwnField(root, 'properties')
  if (!isJsonObject(listed)) return root
  const properties: JsonObject = listed
  const shared = findShared(root, properties)
  if (shared.isNone) return root
  const places = new Map<string, string>()
  const waiting: string[] = []
  let holder: string | undefined

  /** Returns the new place of a shared definition. */
  function getPlace(path: string, property: string): string {
    holder ??= property
    const known = places.get(path)
    if (known !== undefined) return known
    const freePath = findFreePlace(path, { holder, properties, places })
    places.set(path, freePath)
    waiting.push(path)
    return freePath
  }

  function write(schema: JsonObject, property: string): JsonObject {
    return mapSchema(schema, (part) => {
      let written: JsonObject = part
      for (;;) {
        const target = findOutsideTarget(root, written)
        if (!target) return written
        if (shared.has(target.path))
          return { ...written, $ref: `#${encodeURI(getPlace(target.path, property))}` }
        written = replaceReference(written, target.schema)
      }
    })
  }

  const moved = new Map<string, unknown>(
    Object.entries(properties).map(([name, property]) => [
      name,
      isJsonObject(property) ? write(property, name) : property,
    ]),
  )
  if (holder === undefined) return { ...root, properties: Object.fromEntries(moved) }
  const held = new Map<string, unknown>()
  // The list grows during the loop, because a definition may need others.
  for (const path of waiting) {
    const definition = followReference(root, `#${encodeURI(path)}`)?.schema
    const name = splitPointer(places.get(path) ?? '').at(-1) ?? ''
    held.set(name, isJsonObject(definition) ? write(definition, holder) : definition)
  }
  const movedProperty = moved.get(holder)
  const own = isJsonObject(movedProperty) ? movedProperty : {}
  const beside = getOwnField(own, '$defs')
  const $defs = { ...(isJsonObject(beside) && beside), ...Object.fromEntries(held) }
  moved.set(holder, { ...own, $defs })
  return { ...root, properties: Object.fromEntries(moved) }
}

/** Returns the targets of references outside the properties. `#` is the root, and stays a reference. */
function findOutsideTarget(
  root: JsonObject,
  schema: JsonObject,
): { path: string; schema: JsonObject | boolean } | undefined {
  const resolved = followReference(root, getOwnField(schema, '$ref'))
  if (!resolved || resolved.path === '' || resolved.path.startsWith('/properties/'))
    return undefined
  const { schema: target, path } = resolved
  return isJsonObject(target) || typeof target === 'boolean' ? { path, schema: target } : undefined
}

/** Replaces a reference with its definition. */
function replaceReference(
  { $ref: _reference, ...beside }: JsonObject,
  target: JsonObject | boolean,
): JsonObject {
  const definition = target === true ? {} : target === false ? { not: {} } : target
  return Object.keys(beside).every((keyword) => ANNOTATION_KEYWORDS.has(keyword))
    ? { ...definition, ...beside }
    : { ...beside, allOf: [definition, ...getList(beside['allOf'])] }
}

function getList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function findFreePlace(
  path: string,
  {
    holder,
    properties,
    places,
  }: { holder: string; properties: JsonObject; places: ReadonlyMap<string, string> },
): string {
  const property = getOwnField(properties, holder)
  const own = isJsonObject(property) ? getOwnField(property, '$defs') : undefined
  const taken = new Set(places.values())
  const definitionsPath = appendPointer(appendPointer('/properties', holder), '$defs')
  const name = splitPointer(path).at(-1) ?? ''
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? name : `${name}_${count}`
    const freePath = appendPointer(definitionsPath, free)
    if (!taken.has(freePath) && !(isJsonObject(own) && Object.hasOwn(own, free))) return freePath
  }
}

/** The definitions that are written once. */
interface Shared {
  /** Whether no reference leaves the properties. */
  isNone: boolean
  has(path: string): boolean
}

/** Finds the definitions that cannot be written at each reference: recursive ones, large ones, and those with their own name. */
function findShared(root: JsonObject, properties: JsonObject): Shared {
  const shared = new Set<string>()
  const sizes = new Map<string, number>()
  const open = new Set<string>()
  const waiting: (JsonObject | boolean)[] = Object.values(properties).filter(isJsonObject)
  let isNone = true

  function countSchemas(schema: JsonObject | boolean, depth: number): number {
    let size = 0
    if (typeof schema === 'boolean') return 1
    mapSchema(schema, (part) => {
      size += 1 + Object.keys(part).length
      const target = findOutsideTarget(root, part)
      if (target) {
        isNone = false
        size += measureSize(target.path, target.schema, depth + 1)
      }
      return part
    })
    return size
  }

  function measureSize(path: string, schema: JsonObject | boolean, depth: number): number {
    const known = sizes.get(path)
    if (known !== undefined) return known
    if (open.has(path) || depth >= MAX_SCHEMA_DEPTH) {
      shared.add(path)
      if (!open.has(path)) {
        sizes.set(path, 1)
        waiting.push(schema)
      }
      return 1
    }
    open.add(path)
    const size = countSchemas(schema, depth)
    open.delete(path)
    if (size > MAX_INLINE || isNamed(schema)) shared.add(path)
    const counted = shared.has(path) ? 1 : size
    sizes.set(path, counted)
    return counted
  }

  // The list grows during the loop. A definition that is too deep becomes a new start.
  for (const schema of waiting) countSchemas(schema, 0)
  return { isNone, has: (path) => shared.has(path) }
}

function isNamed(schema: JsonObject | boolean): boolean {
  return (
    isJsonObject(schema) &&
    ['$id', '$anchor', '$dynamicAnchor'].some((keyword) => Object.hasOwn(schema, keyword))
  )
}
