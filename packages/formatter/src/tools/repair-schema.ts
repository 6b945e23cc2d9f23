import { field, isJsonObject, type JsonObject, type JsonSchema } from '@toolblocks/protocol'
import type { RequestChange } from '../turns/request-change.ts'
import { flattenRoot, type FlatRoot } from './flatten-root.ts'
import { nameProperties, type ParameterNames, type PropertyRule } from './name-properties.ts'
import { constraintsOf, tellBranches } from './tell-branches.ts'

/** A schema that a provider takes, and what was changed for it. */
export interface RepairedSchema {
  schema: JsonObject
  /** Where some properties are called otherwise. */
  parameters?: ParameterNames
  changes: readonly RequestChange[]
}

/** Characters of JSON that are told, beside the branches. */
const TOLD = 2000

/**
 * Writes a tool's schema so that providers take it: an object at the root, without composition there, property names that the rule
 * takes. What each branch of the root needs is told in its `description`.
 */
export function repairSchema(given: JsonSchema, rule: PropertyRule, path = ''): RepairedSchema {
  const changes: RequestChange[] = []
  const object = isJsonObject(given) ? given : {}
  const { schema: flat, moved } = flattenRoot(object)
  if (Object.hasOwn(object, '$ref'))
    changes.push({
      path,
      code: 'root-replaced',
      message: 'the root was a reference: what it names was put there',
    })
  if (field(flat, 'type') !== 'object')
    changes.push({
      path,
      code: 'root-replaced',
      message: 'the root of the schema is an object for this provider',
      expected: 'object',
    })
  if (moved)
    changes.push({
      path,
      code: 'root-composition-moved',
      message: `${moved.keywords.join(', ')} at the root: the properties of all branches stand together, and the description says what each branch needs`,
    })
  const properties = field(flat, 'properties')
  const named: JsonObject = isJsonObject(properties) ? properties : {}
  const renamed = nameProperties({ ...flat, type: 'object', properties: named }, rule, path)
  const { schema, parameters } = renamed
  return {
    schema: moved ? withWords(schema, wordsOf(moved, renamed.nameOf)) : schema,
    ...(parameters && { parameters }),
    changes: [...changes, ...renamed.changes],
  }
}

/** What the description says of the root that the schema cannot. */
function wordsOf(
  { root, reader }: NonNullable<FlatRoot['moved']>,
  nameOf: (name: string) => string,
): readonly string[] {
  const [own, ...members] = reader.conjunctsOf(root)
  // What else stands at the root stays in the schema.
  const refused = Object.entries(own ?? {}).filter(([keyword]) => UNTOLD.has(keyword))
  const others = [Object.fromEntries(refused), ...members]
    .map(constraintsOf)
    .filter((each) => each !== undefined)
  const isLong = others.join('').length > TOLD
  return [
    ...tellBranches(root, { reader, nameOf }),
    ...(isLong
      ? [TOO_LONG]
      : others.map((each) => `The arguments must also match this JSON Schema: ${each}`)),
  ]
}

const UNTOLD: ReadonlySet<string> = new Set(['not', 'enum', 'const'])
const TOO_LONG = 'Not all combinations of arguments are taken.'

/** Words stand behind what the schema says of itself. */
function withWords(schema: JsonObject, words: readonly string[]): JsonObject {
  if (words.length === 0) return schema
  const { type, description, ...rest } = schema
  const own = typeof description === 'string' ? [description] : []
  return { type, description: [...own, ...words].join('\n'), ...rest }
}
