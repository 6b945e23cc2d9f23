import {
  type JsonObject,
  type JsonSchema,
  type Problem,
  type ToolCall,
  type ToolResult,
  createFailure,
  isJsonObject,
} from '@toolblocks/protocol'
import {
  getOwnField,
  requireArguments,
  parseJson,
  MAX_SCHEMA_DEPTH,
  fillDefaults,
  describeBadArguments,
} from '@toolblocks/protocol/internal'
import { isDefinitelyValid } from '@toolblocks/schema-check/internal/quick-check'
import type { ExecutorProblem } from './executor-problem.ts'
import {
  namedProperties,
  partsFor,
  schemaOfChild,
  getType,
  findTypes,
  viewSchema,
} from './schema-view.ts'
import { findShapedArguments, withShapedArguments } from './shape-tool.ts'
import type { ToolEntry } from './tool-entry.ts'

/** The call that may run, or the result that names its problems. */
export type PreparedCall =
  | { ok: true; call: ToolCall; warnings: readonly ExecutorProblem[] }
  | { ok: false; result: ToolResult; problems: readonly Problem[] }

/**
 * Converts a call's arguments to the types of the schema and fills in defaults, then checks them. If a server does this itself, only the host's own
 * defaults are filled in. A null that the schema refuses for an optional argument is omitted. An executor does this for every call; a host whose user types a call may do it before. The paths of problems start at the
 * arguments.
 */
export async function prepareCall(call: ToolCall, entry: ToolEntry): Promise<PreparedCall> {
  requireArguments('prepareCall(call, entry)', [call, 'object'], [entry, 'object'])
  const shaped = findShapedArguments(call.arguments, entry.shape)
  if (shaped.length > 0) return refuseArguments(call.name, shaped)
  // Fixed arguments are part of the call that the tool itself describes.
  const { inputSchema } = entry.shape ?? entry.tool
  const completed = { ...call, arguments: completeArguments(call.arguments, entry) }
  if (isDefinitelyValid(completed.arguments, inputSchema))
    return { ok: true, call: completed, warnings: [] }
  // The full validator is loaded only for arguments that need it.
  const { checkArguments, compileInputSchema } = await import('@toolblocks/schema-check')
  const compiled = compileInputSchema(inputSchema)
  if (!compiled.ok) return { ok: true, call: completed, warnings: compiled.problems.map(asWarning) }
  const { verdict, problems, ...checked } = checkArguments(
    compiled.check,
    completed.arguments,
    (values) => completeArguments(values, entry),
  )
  switch (verdict) {
    case 'valid':
      return { ok: true, call: { ...completed, ...checked }, warnings: [] }
    case 'unchecked':
      return { ok: true, call: completed, warnings: problems.map(asWarning) }
    case 'invalid':
      return refuseArguments(completed.name, problems)
  }
}

function refuseArguments(name: string, problems: readonly Problem[]): PreparedCall {
  return { ok: false, result: createFailure(describeBadArguments(name, problems)), problems }
}

function completeArguments(
  values: JsonObject,
  { arguments: how, defaults, tool, shape }: ToolEntry,
): JsonObject {
  const { inputSchema } = shape ?? tool
  const shaped = withShapedArguments(values, shape)
  if (how !== 'as-given') return withShapedArguments(fitArguments(shaped, inputSchema), shape)
  return defaults === undefined
    ? shaped
    : withShapedArguments(fillDefaults(shaped, defaults), shape)
}

/** The tool itself has to check what could not be checked here. The warning tells every reader of the result. */
function asWarning({ path, message }: Problem): ExecutorProblem {
  return {
    path: `/arguments${path}`,
    message: `The arguments were not checked: ${message}`,
    code: 'arguments-unchecked',
  }
}

/**
 * Converts arguments to the types of the schema. A string where the schema allows none is parsed as JSON if the value has an allowed type, because
 * models often write `"3"` for `3`. An absent parameter gets its default, also inside objects and items that are present. Everything else is left
 * to the validation.
 */
export function fitArguments(values: JsonObject, schema: JsonSchema): JsonObject {
  return fitObject(values, { root: schema, depth: 0, absent: 'defaults' })
}

/**
 * Reads arguments that a person typed as text, such as `"3"`, by the types of the schema, also if the schema as a whole is invalid. Like
 * `fitArguments`, but without defaults, because a server fills in its own.
 */
export function readTypedArguments(values: JsonObject, schema: JsonSchema): JsonObject {
  return fitObject(values, { root: schema, depth: 0, absent: 'left-out' })
}

function fitObject(values: JsonObject, options: FitOptions): JsonObject {
  const fitted = fitValue(values, options.root, options)
  return isJsonObject(fitted) ? fitted : values
}

interface FitOptions {
  root: JsonSchema
  depth: number
  /** Whether absent parameters get their default. */
  absent: 'defaults' | 'left-out'
}

function fitValue(
  original: unknown,
  schema: unknown,
  { root, depth, absent }: FitOptions,
): unknown {
  if (depth > MAX_SCHEMA_DEPTH || !isJsonObject(schema)) return original
  const view = viewSchema(schema, root)
  const value = typeof original === 'string' ? readString(original, findTypes(view)) : original
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

/** The default beside a reference overrides the default of its target. */
function getDefault(schema: unknown, root: JsonSchema): unknown {
  const { parts } = viewSchema(schema, root)
  return parts.map((part) => getOwnField(part, 'default')).find((value) => value !== undefined)
}
