import {
  field,
  followReference,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
} from '@toolblocks/protocol'
import { nameProperties, type ParameterNames, type PropertyRule } from './name-properties.ts'
import type { RequestChange } from '../turns/request-change.ts'

/** A schema that a provider takes, and what was changed for it. */
export interface RepairedSchema {
  schema: JsonObject
  /** Where some properties are called otherwise. */
  parameters?: ParameterNames
  changes: readonly RequestChange[]
}

/** Providers refuse these at the root, and with them the whole request. */
const COMPOSITION = ['allOf', 'anyOf', 'oneOf'] as const
const REFUSED = [...COMPOSITION, 'not', 'enum', 'const'] as const
/** Characters of JSON that are said in words. */
const SAID = 2000

/**
 * Writes a tool's schema so that providers take it: an object at the root, without composition there, and property names that
 * the rule takes. What the root said is kept in its `description`, so that the model can still keep to it.
 */
export function repairSchema(given: JsonSchema, rule: PropertyRule, path = ''): RepairedSchema {
  const changes: RequestChange[] = []
  const root = rootOf(given)
  if (root !== given && isJsonObject(given)) {
    changes.push(
      change('root-replaced', path, 'the root was a reference: what it names was put there'),
    )
  }
  if (field(root, 'type') !== 'object')
    changes.push(
      change(
        'root-replaced',
        path,
        'the root of the schema is an object for this provider',
        'object',
      ),
    )
  const object = flatten(root, { path, changes })
  const properties = field(object, 'properties')
  const named: JsonObject = isJsonObject(properties) ? properties : {}
  const schema = { ...object, type: 'object', properties: named }
  const renamed = nameProperties(schema, rule, path)
  return { ...renamed, changes: [...changes, ...renamed.changes] }
}

/** What the root is, behind one reference; what stands beside a reference stays. */
function rootOf(given: JsonSchema): JsonObject {
  if (!isJsonObject(given)) return {}
  const reference = field(given, '$ref')
  if (reference === undefined) return given
  const place = followReference(given, reference)?.schema
  const { $ref: _, ...beside } = given
  return isJsonObject(place) ? { ...place, ...beside } : beside
}

/** Takes the properties of all branches together, and says the branches in words. */
function flatten(
  root: JsonObject,
  { path, changes }: { path: string; changes: RequestChange[] },
): JsonObject {
  const refused = REFUSED.filter((keyword) => Object.hasOwn(root, keyword))
  if (refused.length === 0) return root
  const branches = COMPOSITION.flatMap((keyword) => branchesOf(root, keyword))
  const properties = Object.fromEntries(
    [...branches.map(({ schema }) => schema), root].flatMap((schema) =>
      Object.entries(propertiesOf(schema)),
    ),
  )
  const required = new Set([
    ...requiredOf(root),
    ...branches
      .filter(({ keyword }) => keyword === 'allOf')
      .flatMap(({ schema }) => requiredOf(schema)),
  ])
  const said = JSON.stringify(
    Object.fromEntries(refused.map((keyword) => [keyword, root[keyword]])),
  )
  const words = `The arguments must also match this JSON Schema: ${said}`
  changes.push(
    change(
      'root-composition-moved',
      path,
      `${refused.join(', ')} at the root became words, and all their properties optional ones`,
    ),
  )
  const kept = Object.fromEntries(
    Object.entries(root).filter(([key]) => !REFUSED.some((keyword) => keyword === key)),
  )
  const description = field(root, 'description')
  return {
    ...kept,
    description: [
      ...(typeof description === 'string' ? [description] : []),
      said.length > SAID ? TOO_LONG : words,
    ].join('\n'),
    properties,
    ...(required.size > 0 && { required: [...required] }),
  }
}

const TOO_LONG = 'Not all combinations of arguments are taken.'

interface Branch {
  keyword: (typeof COMPOSITION)[number]
  schema: JsonObject
}

function branchesOf(root: JsonObject, keyword: Branch['keyword']): readonly Branch[] {
  const given = field(root, keyword)
  if (!Array.isArray(given)) return []
  return given.flatMap((branch: unknown) => {
    if (!isJsonObject(branch)) return []
    const place = followReference(root, field(branch, '$ref'))?.schema
    return [{ keyword, schema: isJsonObject(place) ? place : branch }]
  })
}

function propertiesOf(schema: JsonObject): JsonObject {
  const properties = field(schema, 'properties')
  return isJsonObject(properties) ? properties : {}
}

function requiredOf(schema: JsonObject): readonly string[] {
  const required = field(schema, 'required')
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

function change(
  code: NonNullable<RequestChange['code']>,
  path: string,
  message: string,
  expected?: string,
): RequestChange {
  return { path, code, message, ...(expected !== undefined && { expected }) }
}
