import { Type } from 'typebox'
import type { JsonObject, JsonSchema } from '../json/json.ts'
import type { Problem } from '../json/problem.ts'

/** Schema of any object. */
export const JsonObjectSchema = Type.Unsafe<JsonObject>(Type.Object({}))

/** Schema of `JsonSchema`: an object or a boolean. */
export const JsonSchemaSchema = Type.Unsafe<JsonSchema>(
  Type.Union([JsonObjectSchema, Type.Boolean()]),
)

/** Schema of a count: an integer from 0 to 2^53 - 1. */
export const CountSchema = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

/** Schema of a SHA-256. */
export const Sha256Schema = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** Schema of `Problem`. */
export const ProblemSchema = Type.Unsafe<Problem>(
  Type.Object({
    path: Type.String(),
    message: Type.String(),
    expected: Type.Optional(Type.String()),
    got: Type.Optional(Type.String()),
    code: Type.Optional(Type.String()),
  }),
)
