import {
  type JsonObject,
  type JsonSchema,
  MAX_SCHEMA_DEPTH,
  type Problem,
  type ToolCall,
  type ToolResult,
  createFailure,
  describeBadArguments,
  getOwnField,
  fillDefaults,
  isJsonObject,
  parseJson,
} from '@toolblocks/protocol'
import { isDefinitelyValid } from '@toolblocks/schema-check/quick-check'
import type { ExecutorProblem } from './executor-problem.ts'
import {
  namedProperties,
  partsFor,
  schemaOfChild,
  getType,
  findTypes,
  viewSchema,
} from './schema-view.ts'
import type { ToolEntry } from './tool-entry.ts'

/** The call as it may run, or the result that names what is wrong with it. */
export type PreparedCall =
  | { ok: true; call: ToolCall; warnings: readonly ExecutorProblem[] }
  | { ok: false; result: ToolResult; problems: readonly Problem[] }

/**
 * Fits a call's arguments to the schema, or only fills in the host's own defaults where a server does the rest itself, and checks them. An executor does this with every
 * call; whoever types one may want to know before. The paths of problems start at the arguments.
 */
export async function prepareCall(given: ToolCall, entry: ToolEntry): Promise<PreparedCall> {
  const { inputSchema } = entry.tool
  const call = { ...given, arguments: completeArguments(given.arguments, entry) }
  if (isDefinitelyValid(call.arguments, inputSchema)) return { ok: true, call, warnings: [] }
  // What checks thoroughly is loaded for arguments that need it.
  const { compileSchema } = await import('@toolblocks/schema-check')
  const compiled = compileSchema(inputSchema)
  if (!compiled.ok) return { ok: true, call, warnings: compiled.problems.map(asWarning) }
  const { verdict, problems } = compiled.check(call.arguments)
  switch (verdict) {
    case 'valid':
      return { ok: true, call, warnings: [] }
    case 'unchecked':
      return { ok: true, call, warnings: problems.map(asWarning) }
    case 'invalid':
      return {
        ok: false,
        result: createFailure(describeBadArguments(call.name, problems)),
        problems,
      }
  }
}

function completeArguments(
  values: JsonObject,
  { arguments: how, defaults, tool }: ToolEntry,
): JsonObject {
  if (how !== 'as-given') return fitArguments(values, tool.inputSchema)
  return defaults === undefined ? values : fillDefaults(values, defaults)
}

/** The tool is left to check what this side could not; everyone who reads the result learns of it. */
function asWarning({ path, message }: Problem): ExecutorProblem {
  return {
    path: `/arguments${path}`,
    message: `The arguments were not checked: ${message}`,
    code: 'arguments-unchecked',
  }
}

/**
 * Fits arguments to their schema. A string where the schema wants none is read as the JSON it stands for, as models often write `"3"` for
 * `3`, if that has a declared type; an absent parameter gets its default, also inside objects and list items that are present.
 * Everything else is left for the check to name.
 */
export function fitArguments(values: JsonObject, schema: JsonSchema): JsonObject {
  return fitObject(values, { root: schema, depth: 0, absent: 'defaults' })
}

/**
 * Reads arguments that were typed as text, such as `"3"`, as the schema wants them; also where the schema as a whole cannot be used. As `fitArguments`,
 * but no default is filled in: a server fills in its own.
 */
export function readTypedArguments(values: JsonObject, schema: JsonSchema): JsonObject {
  return fitObject(values, { root: schema, depth: 0, absent: 'left-out' })
}

function fitObject(values: JsonObject, at: At): JsonObject {
  const fitted = fitValue(values, at.root, at)
  return isJsonObject(fitted) ? fitted : values
}

interface At {
  root: JsonSchema
  depth: number
  /** What becomes of a parameter that is not there. */
  absent: 'defaults' | 'left-out'
}

function fitValue(given: unknown, schema: unknown, { root, depth, absent }: At): unknown {
  if (depth > MAX_SCHEMA_DEPTH || !isJsonObject(schema)) return given
  const view = viewSchema(schema, root)
  const value = typeof given === 'string' ? readString(given, findTypes(view)) : given
  if (typeof value !== 'object' || value === null) return value
  const parts = partsFor(view, getType(value))
  const inside = { root, depth: depth + 1, absent }
  if (Array.isArray(value)) {
    const items = schemaOfChild(parts, 'items')
    return value.map((item) => fitValue(item, items, inside))
  }
  const fields = new Map<string, unknown>(Object.entries(value))
  for (const property of namedProperties(parts)) {
    const declared = schemaOfChild(parts, { property })
    const fitted = fields.has(property)
      ? fitValue(fields.get(property), declared, inside)
      : absent === 'defaults'
        ? getDefault(declared, root)
        : undefined
    if (fitted !== undefined) fields.set(property, fitted)
  }
  return Object.fromEntries(fields)
}

function readString(text: string, types: ReadonlySet<string> | undefined): unknown {
  if (types === undefined || types.has('string')) return text
  const value = parseJson(text)
  const type = getType(value)
  const fits = types.has(type) || (type === 'integer' && types.has('number'))
  return value !== undefined && fits ? value : text
}

/** The default beside a reference counts before that of what it refers to. */
function getDefault(schema: unknown, root: JsonSchema): unknown {
  const { parts } = viewSchema(schema, root)
  return parts.map((part) => getOwnField(part, 'default')).find((value) => value !== undefined)
}
