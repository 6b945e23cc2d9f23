import {
  type JsonSchema,
  type JsonValue,
  type Tool,
  type ToolCall,
  isJsonObject,
} from '@toolblocks/protocol'
import {
  type LiveAction,
  LIVE_ACTIONS,
  requireArguments,
  isJsonValue,
} from '@toolblocks/protocol/internal'

/** How the actions of a stateful tool are described: `flat` for models, whose providers refuse `oneOf` at the root. */
export type LiveSchemaForm = 'oneOf' | 'flat'

/** The names that a stateful tool adds to its own parameters. */
const RESERVED = ['action', 'id', 'input'] as const

/** Keywords that constrain more than single properties. Beside other properties, their meaning would change. */
const WHOLE = [
  '$dynamicRef',
  '$ref',
  'allOf',
  'anyOf',
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
  'oneOf',
  'patternProperties',
  'propertyNames',
  'then',
  'unevaluatedProperties',
] as const

/**
 * Returns where a spawn has the tool's own arguments: beside `action` and `id`, or inside `arguments` if a name would repeat or if the schema
 * constrains more than single properties.
 */
export function locateArguments(tool: Tool): 'beside' | 'inside' {
  requireArguments('locateArguments(tool)', [tool, { name: 'string' }])
  const { inputSchema } = tool
  const { properties } = getParts(inputSchema)
  const isTwice = RESERVED.some((name) => Object.hasOwn(properties, name))
  return isTwice || isWhole(inputSchema) ? 'inside' : 'beside'
}

function isWhole(schema: JsonSchema): boolean {
  if (typeof schema === 'boolean') return false
  const { additionalProperties: others } = schema
  const isOpen = others !== undefined && others !== false
  return isOpen || WHOLE.some((keyword) => Object.hasOwn(schema, keyword))
}

type SchemaObject = Readonly<Record<string, unknown>>

/** The properties of an object schema and the required ones. */
interface Parts {
  properties: SchemaObject
  required: readonly string[]
}

const ID = {
  type: 'string',
  minLength: 1,
  description: 'The handle: a name you choose when you spawn it.',
}

const INPUT = {
  description: 'The text to type, or the answer. Several answers: an object by question id.',
}

/** Returns the actions of a stateful tool. */
function getActions(tool: Tool): readonly LiveAction[] {
  return tool.actions ?? LIVE_ACTIONS
}

/** Returns the input schema of a stateful tool. Its own parameters belong to `spawn`. */
export function liveSchema(tool: Tool, form: LiveSchemaForm): JsonSchema {
  switch (form) {
    case 'oneOf':
      return {
        ...getDefinitions(tool.inputSchema),
        type: 'object',
        oneOf: getActions(tool).map((action) => branch(action, tool)),
      }
    case 'flat':
      return flat(tool)
  }
}

function branch(action: string, tool: Tool): SchemaObject {
  const { properties, required } = action === 'spawn' ? getSpawnParts(tool) : getInput(action)
  return {
    type: 'object',
    properties: { action: { const: action }, id: ID, ...properties },
    required: ['action', 'id', ...required],
    additionalProperties: false,
  }
}

/** Returns the tool's own arguments for a spawn. */
function getSpawnParts(tool: Tool): Parts {
  switch (locateArguments(tool)) {
    case 'beside':
      return getParts(tool.inputSchema)
    case 'inside':
      return { properties: { arguments: inside(tool.inputSchema) }, required: ['arguments'] }
  }
}

/** Nests the complete schema. References resolve at the root. */
function inside(schema: JsonSchema): SchemaObject {
  if (typeof schema === 'boolean') return { type: 'object' }
  const { $defs: _, definitions: __, $schema: ___, $id: ____, ...rest } = schema
  return { type: 'object', ...rest }
}

function getInput(action: string): Parts {
  return action === 'apply'
    ? { properties: { input: INPUT }, required: ['input'] }
    : { properties: {}, required: [] }
}

/** Names only the arguments of the declared actions. */
function flat(tool: Tool): JsonSchema {
  const actions = getActions(tool)
  const nothing: Parts = { properties: {}, required: [] }
  const own = actions.includes('spawn') ? getSpawnParts(tool) : nothing
  const input = actions.includes('apply') ? getInput('apply') : nothing
  const needs = [
    ...(input.required.length > 0 ? ['"apply" needs input.'] : []),
    ...(own.required.length > 0 ? [`"spawn" also needs ${own.required.join(', ')}.`] : []),
  ]
  return {
    ...getDefinitions(tool.inputSchema),
    type: 'object',
    ...(needs.length > 0 && { description: needs.join(' ') }),
    properties: {
      action: { type: 'string', enum: [...actions] },
      id: ID,
      ...input.properties,
      ...own.properties,
    },
    required: ['action', 'id'],
    additionalProperties: false,
  }
}

/** Returns the definitions that parameters refer to. */
function getDefinitions(schema: JsonSchema): SchemaObject {
  if (typeof schema === 'boolean') return {}
  const { $defs, definitions } = schema
  return {
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  }
}

function getParts(schema: JsonSchema): Parts {
  if (typeof schema === 'boolean') return { properties: {}, required: [] }
  const { properties, required } = schema
  return {
    properties: isJsonObject(properties) ? properties : {},
    required: Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [],
  }
}

/** The action that a model requests from a stateful tool. */
export type WantedAction =
  | { action: 'spawn'; id: string; arguments: ToolCall['arguments'] }
  | { action: 'fetch' | 'abort'; id: string }
  | { action: 'apply'; id: string; input: JsonValue }

/** The action of a call, or the reason why it has none. */
type ReadWantedAction = { ok: true; action: WantedAction } | { ok: false; message: string }

/**
 * Whether a call uses a stateful tool by actions. A call without `action` runs the tool once, like any other. If the tool has its own argument
 * `action`, a call without a handle runs it once.
 */
export function isLiveCall({ arguments: values }: ToolCall, tool: Tool): boolean {
  if (tool.spawn === undefined || !Object.hasOwn(values, 'action')) return false
  if (locateArguments(tool) === 'beside') return true
  return (
    getActions(tool).some((name) => name === values['action']) && typeof values['id'] === 'string'
  )
}

/** Reads the action of a call to a stateful tool. */
export function readLiveAction(call: ToolCall, tool: Tool): ReadWantedAction {
  const { action, id, ...own } = call.arguments
  const known = getActions(tool).find((name) => name === action)
  if (known === undefined)
    return createProblem(
      `action: expected ${getActions(tool).join(', ')}, got ${JSON.stringify(action)}`,
    )
  if (typeof id !== 'string' || id === '')
    return createProblem(
      `id: expected the name of a handle, got ${JSON.stringify(id) ?? 'nothing'}${describeForeign(known, own)}`,
    )
  switch (known) {
    case 'spawn':
      return readSpawn(id, own, tool)
    case 'apply':
      return isJsonValue(own['input'])
        ? { ok: true, action: { action: known, id, input: own['input'] } }
        : createProblem(
            `input: is required and missing; expected the text to type, or the answer${describeForeign(known, own)}`,
          )
    case 'fetch':
    case 'abort':
      return { ok: true, action: { action: known, id } }
  }
}

/** Maximum number of arguments that one message names. */
const MAX_NAMED = 5

/** Names the arguments that an action does not have, because one of them may be meant for what is missing. A spawn has those of the tool. */
function describeForeign(action: LiveAction, own: ToolCall['arguments']): string {
  if (action === 'spawn') return ''
  const { properties } = getInput(action)
  const foreign = Object.keys(own).filter((name) => !Object.hasOwn(properties, name))
  if (foreign.length === 0) return ''
  const named = foreign.slice(0, MAX_NAMED).map((name) => JSON.stringify(name))
  const all = [...named, ...(foreign.length > MAX_NAMED ? ['…'] : [])].join(', ')
  const are = foreign.length === 1 ? 'is not an argument' : 'are not arguments'
  return `; ${all} ${are} of ${JSON.stringify(action)}`
}

function readSpawn(id: string, own: ToolCall['arguments'], tool: Tool): ReadWantedAction {
  if (locateArguments(tool) === 'beside')
    return { ok: true, action: { action: 'spawn', id, arguments: own } }
  const { arguments: values = {} } = own
  return isJsonObject(values)
    ? { ok: true, action: { action: 'spawn', id, arguments: values } }
    : createProblem(`arguments: expected an object, got ${JSON.stringify(values)}`)
}

function createProblem(message: string): ReadWantedAction {
  return { ok: false, message }
}
