import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import type { StandardIssue, StandardSchema, StandardShape, Validate } from './schema.ts'

/** Returns whether a value is the shape of an object: each property has a schema of a library. Zod users write `{ name: z.string() }`. */
export function isStandardShape(shape: object): shape is StandardShape {
  const parts: readonly unknown[] = Object.values(shape)
  return parts.length > 0 && parts.every(isStandardSchema)
}

function isStandardSchema(part: unknown): part is StandardSchema {
  const isHolder = (typeof part === 'object' && part !== null) || typeof part === 'function'
  return isHolder && isJsonObject(Reflect.get(part, '~standard'))
}

/** Returns the JSON Schema of an object with these properties. A property whose schema accepts `undefined` is not required. */
export function describeShape(
  shape: StandardShape,
  describe: (part: StandardSchema, name: string) => JsonObject,
): JsonObject {
  const parts = Object.entries(shape)
  const required = parts.filter(([, part]) => !isOptional(part)).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(parts.map(([name, part]) => [name, describe(part, name)])),
    ...(required.length > 0 && { required }),
  }
}

function isOptional(part: StandardSchema): boolean {
  const result: unknown = part['~standard'].validate?.(undefined)
  // A schema that only answers later is taken as required.
  return isJsonObject(result) && result['issues'] === undefined && 'value' in result
}

/** Checks each property with its schema. Others are omitted, as Zod omits them. */
export function validateShape(shape: StandardShape): Validate {
  return async (value) => {
    const object: JsonObject = isJsonObject(value) ? value : {}
    const results = await Promise.all(
      Object.entries(shape).map(async ([name, part]) => {
        const own = Object.hasOwn(object, name) ? object[name] : undefined
        const { validate } = part['~standard']
        return {
          name,
          isGiven: Object.hasOwn(object, name),
          result: validate ? await validate(own) : { value: own },
        }
      }),
    )
    const issues = results.flatMap(({ name, result }): StandardIssue[] =>
      (result.issues ?? []).map((issue) => ({ ...issue, path: [name, ...(issue.path ?? [])] })),
    )
    if (issues.length > 0) return { issues }
    const values = results.flatMap(({ name, isGiven, result }) => {
      const made = result.issues ? undefined : result.value
      return made === undefined && !isGiven ? [] : [[name, made]]
    })
    return { value: Object.fromEntries(values) }
  }
}
