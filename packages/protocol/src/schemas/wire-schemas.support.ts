import { Type } from 'typebox'
import type { ParameterDefinition } from '../parameters/parameter-definition.ts'
import { LIVE_ACTIONS } from '../calls/tool.ts'
import type { ToolDescription, ToolDescriptions } from '../wire/tool-description.ts'
import { ACTIONS, type ToolRequest } from '../wire/tool-request.ts'
import { CountSchema, JsonObjectSchema, JsonSchemaSchema } from './json-schemas.support.ts'
import { AnswersSchema } from './content-schemas.support.ts'
import { toolWords } from './tool-schemas.support.ts'

/** Schema of `ToolRequest`. */
export const ToolRequestSchema = Type.Unsafe<ToolRequest>(
  Type.Object({
    seq: Type.Optional(CountSchema),
    context: Type.Object({
      action: Type.Enum([...ACTIONS]),
      root: Type.String(),
      access: Type.Optional(Type.Unknown()),
      workspace_id: Type.Optional(Type.String()),
      conversation_id: Type.Optional(Type.String()),
      call_id: Type.Optional(Type.String()),
    }),
    tool: Type.Optional(
      Type.Object({
        name: Type.String(),
        arguments: Type.Optional(JsonObjectSchema),
        answers: Type.Optional(AnswersSchema),
        options: Type.Optional(JsonObjectSchema),
        input: Type.Optional(Type.Unknown()),
      }),
    ),
  }),
)

const nested = Type.Ref('ParameterDefinition')

/** Schema of `ParameterDefinition`. */
export const ParameterDefinitionSchema = Type.Unsafe<ParameterDefinition>(
  Type.Cyclic(
    {
      ParameterDefinition: Type.Object({
        type: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
        summary: Type.Optional(Type.String()),
        description: Type.Optional(Type.String()),
        required: Type.Optional(Type.Boolean()),
        default: Type.Optional(Type.Unknown()),
        enum: Type.Optional(Type.Array(Type.Unknown())),
        items: Type.Optional(nested),
        properties: Type.Optional(Type.Object({}, { additionalProperties: nested })),
        examples: Type.Optional(Type.Array(Type.Unknown())),
        code: Type.Optional(Type.Boolean()),
        allow_dash: Type.Optional(Type.Boolean()),
      }),
    },
    'ParameterDefinition',
  ),
)

/** Schema of `ToolDescription`. */
export const ToolDescriptionSchema = Type.Unsafe<ToolDescription>(
  Type.Object({
    ...toolWords,
    parameters: Type.Optional(Type.Object({}, { additionalProperties: ParameterDefinitionSchema })),
    inputSchema: Type.Optional(JsonSchemaSchema),
    outputSchema: Type.Optional(JsonSchemaSchema),
    annotations: Type.Optional(JsonObjectSchema),
    stateful: Type.Optional(Type.Boolean()),
    actions: Type.Optional(Type.Array(Type.Enum([...LIVE_ACTIONS]))),
  }),
)

/** Schema of `ToolDescriptions`. */
export const ToolDescriptionsSchema = Type.Unsafe<ToolDescriptions>(
  Type.Object({ tools: Type.Array(ToolDescriptionSchema) }),
)
