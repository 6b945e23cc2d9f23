import * as Type from 'typebox'
import { type Answer, type Answers, CANCEL_REASONS } from '../questions/answer.ts'
import type { InputRequest } from '../questions/input-request.ts'
import { JsonObjectSchema, JsonSchemaSchema } from './json-schemas.ts'

/** Schema of `InputRequest`. */
export const InputRequestSchema = Type.Unsafe<InputRequest>(
  Type.Object({
    id: Type.String(),
    text: Type.String(),
    schema: JsonSchemaSchema,
    default: Type.Optional(Type.Unknown()),
    url: Type.Optional(Type.String()),
  }),
)

/** Schema of `Answers`. */
export const AnswersSchema = Type.Unsafe<Answers>(JsonObjectSchema)

/** Schema of `Answer`. */
export const AnswerSchema = Type.Unsafe<Answer>(
  Type.Union([
    Type.Object({ action: Type.Literal('accept'), value: Type.Unknown() }),
    Type.Object({ action: Type.Literal('decline') }),
    Type.Object({
      action: Type.Literal('cancel'),
      reason: Type.Enum([...CANCEL_REASONS]),
      message: Type.Optional(Type.String()),
    }),
  ]),
)
