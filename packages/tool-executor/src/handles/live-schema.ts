import type { JsonSchema, Tool } from '@toolblocks/protocol'

/** How the actions of a live tool are described: `flat` for models that cannot read `oneOf`. */
export type LiveSchemaForm = 'oneOf' | 'flat'

/** The names a live tool adds to its own parameters. */
export const RESERVED = ['action', 'id', 'input'] as const

type SchemaObject = Readonly<Record<string, unknown>>
const ID = {
  type: 'string',
  minLength: 1,
  description: 'The handle: a name you choose when you spawn it.',
}
const INPUT = {
  description: 'What to type, or the answer; several answers as an object by question id.',
}

/** The actions of a live tool. */
export function actionsOf(tool: Tool): readonly ('spawn' | 'fetch' | 'apply' | 'abort')[] {
  return tool.actions ?? ['spawn', 'fetch', 'apply', 'abort']
}

/** The input schema of a live tool: its own parameters belong to `spawn`. */
export function liveSchema(tool: Tool, form: LiveSchemaForm): JsonSchema {
  switch (form) {
    case 'oneOf':
      return {
        ...definitionsOf(tool.inputSchema),
        type: 'object',
        oneOf: actionsOf(tool).map((action) => branch(action, tool.inputSchema)),
      }
    case 'flat':
      return flat(tool)
  }
}

function branch(action: string, own: JsonSchema): SchemaObject {
  const { properties, required } = action === 'spawn' ? partsOf(own) : inputOf(action)
  return {
    type: 'object',
    properties: { action: { const: action }, id: ID, ...properties },
    required: ['action', 'id', ...required],
    additionalProperties: false,
  }
}

function inputOf(action: string): { properties: SchemaObject; required: readonly string[] } {
  return action === 'apply'
    ? { properties: { input: INPUT }, required: ['input'] }
    : { properties: {}, required: [] }
}

function flat(tool: Tool): JsonSchema {
  const { properties, required } = partsOf(tool.inputSchema)
  const needed = required.length === 0 ? '' : ` "spawn" also needs ${required.join(', ')}.`
  return {
    ...definitionsOf(tool.inputSchema),
    type: 'object',
    description: `"apply" needs input.${needed}`,
    properties: {
      action: { type: 'string', enum: [...actionsOf(tool)] },
      id: ID,
      input: INPUT,
      ...properties,
    },
    required: ['action', 'id'],
    additionalProperties: false,
  }
}

/** What parameters refer to from the root of their schema. */
function definitionsOf(schema: JsonSchema): SchemaObject {
  if (typeof schema === 'boolean') return {}
  const { $defs, definitions } = schema
  return {
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  }
}

function partsOf(schema: JsonSchema): { properties: SchemaObject; required: readonly string[] } {
  if (typeof schema === 'boolean') return { properties: {}, required: [] }
  const { properties, required } = schema
  return {
    properties: typeof properties === 'object' && properties !== null ? { ...properties } : {},
    required: Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [],
  }
}
