import {
  type JsonObject,
  type JsonSchema,
  type Problem,
  type Tool,
  type ToolResult,
  isJsonObject,
} from '@toolblocks/protocol'
import {
  appendPointer,
  findResultData,
  getOwnField,
  readDataPath,
  requireArguments,
  selectData,
  withWarnings,
} from '@toolblocks/protocol/internal'
import { isDefinitelyValid } from '@toolblocks/schema-check/internal/quick-check'
import type { ExecutorProblem } from './executor-problem.ts'
import type { EntryShape, ToolEntry, ToolShape } from './tool-entry.ts'

/** Why a shape does not fit its tool: the `code` of its `Problem`. */
type ShapeProblemCode = 'unknown-argument' | 'unfit-argument' | 'bad-path'

/** A tool as a model sees it, with its shape, for a `ToolEntry`; or the problems of the shape, whose paths start at the shape. */
export type ShapedTool =
  | {
      ok: true
      /** The tool as a model sees it, and its shape. Add them to an entry. */
      entry: Required<Pick<ToolEntry, 'tool' | 'shape'>>
    }
  | { ok: false; problems: readonly Problem<ShapeProblemCode>[] }

/**
 * Shapes a tool for a model: removes fixed and hidden arguments from its schema, and with `select` its `outputSchema`, which promises the complete
 * data. An executor adds the fixed arguments before it asks a person, so that the person sees the complete call.
 */
export async function shapeTool(tool: Tool, shape: ToolShape): Promise<ShapedTool> {
  requireArguments('shapeTool(tool, shape)', [tool, 'object'], [shape, 'object'])
  const { inputSchema } = tool
  const { fixed = {}, hidden = [] } = shape
  const problems = [...checkPaths(shape), ...checkNames(inputSchema, shape)]
  if (problems.length === 0) problems.push(...(await checkFixed(inputSchema, fixed)))
  if (problems.length > 0) return { ok: false, problems }
  const paths = shape.select?.map((path) => readDataPath(path) ?? path)
  const { outputSchema, ...rest } = tool
  return {
    ok: true,
    entry: {
      tool: {
        ...rest,
        ...(outputSchema !== undefined && !paths && { outputSchema }),
        inputSchema: withoutArguments(inputSchema, new Set([...Object.keys(fixed), ...hidden])),
      },
      shape: { ...shape, ...(paths && { select: paths }), inputSchema },
    },
  }
}

function checkPaths({ select = [] }: ToolShape): readonly Problem<ShapeProblemCode>[] {
  return select.flatMap((path, index) =>
    readDataPath(path) === undefined
      ? [
          {
            path: `/select/${index}`,
            message: 'expected a path with at most 100 steps',
            code: 'bad-path' as const,
          },
        ]
      : [],
  )
}

/** Checks that the arguments exist, and that no call lacks one that is required. A tool that lists no arguments may have any. */
function checkNames(
  schema: JsonSchema,
  { fixed = {}, hidden = [] }: ToolShape,
): Problem<ShapeProblemCode>[] {
  const names = Object.keys(getProperties(schema))
  const required = isJsonObject(schema) ? getOwnField(schema, 'required') : undefined
  const both = hidden.filter((name) => Object.hasOwn(fixed, name))
  const places = [
    ...Object.keys(fixed).map((name) => [name, appendPointer('/fixed', name)] as const),
    ...hidden.map((name, index) => [name, `/hidden/${index}`] as const),
  ]
  return places.flatMap(([name, path]): Problem<ShapeProblemCode>[] => {
    if (names.length > 0 && !names.includes(name)) {
      const message = `the tool has no argument ${JSON.stringify(name)}; expected one of ${names.join(', ')}`
      return [{ path, message, code: 'unknown-argument' }]
    }
    if (!path.startsWith('/hidden')) return []
    const isRequired = Array.isArray(required) && required.includes(name)
    if (!isRequired && !both.includes(name)) return []
    const message = isRequired
      ? `the tool requires the argument ${JSON.stringify(name)}, so it cannot be hidden; fix its value instead`
      : `the argument ${JSON.stringify(name)} is both fixed and hidden; expected one of them`
    return [{ path, message, code: 'unfit-argument' }]
  })
}

/** Checks the values alone, because a call has further arguments. */
async function checkFixed(
  schema: JsonSchema,
  fixed: Readonly<Record<string, unknown>>,
): Promise<readonly Problem<ShapeProblemCode>[]> {
  const properties = getProperties(schema)
  if (!isJsonObject(schema) || Object.keys(properties).length === 0) return []
  const alone = {
    ...Object.fromEntries(
      ['$schema', '$defs', 'definitions'].flatMap((keyword) =>
        Object.hasOwn(schema, keyword) ? [[keyword, schema[keyword]]] : [],
      ),
    ),
    properties,
  }
  if (isDefinitelyValid(fixed, alone)) return []
  const { compileSchema } = await import('@toolblocks/schema-check')
  const compiled = compileSchema(alone)
  if (!compiled.ok) return []
  const { verdict, problems } = compiled.check(fixed)
  return verdict === 'invalid'
    ? problems.map(({ path, message }) => ({
        path: `/fixed${path}`,
        message,
        code: 'unfit-argument',
      }))
    : []
}

function getProperties(schema: unknown): JsonObject {
  const properties = isJsonObject(schema) ? getOwnField(schema, 'properties') : undefined
  return isJsonObject(properties) ? properties : {}
}

/** The keywords whose schemas are about the same object. */
const BRANCHES = new Set(['allOf', 'anyOf', 'oneOf'])

/** Removes arguments from the schema of an object, also from its branches. */
function withoutArguments(schema: JsonSchema, names: ReadonlySet<string>, depth = 0): JsonSchema {
  if (!isJsonObject(schema) || names.size === 0 || depth > MAX_BRANCHES) return schema
  const without = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (BRANCHES.has(keyword) && Array.isArray(value)) {
      const branches = value.map((each: JsonSchema) => withoutArguments(each, names, depth + 1))
      return [[keyword, branches]]
    }
    if (keyword === 'required' && Array.isArray(value)) {
      const rest = value.filter((name) => !names.has(String(name)))
      return rest.length === 0 ? [] : [[keyword, rest]]
    }
    const isNamed = keyword === 'properties' || keyword.startsWith('dependent')
    if (!isNamed || !isJsonObject(value)) return [[keyword, value]]
    const rest = Object.entries(value).filter(([name]) => !names.has(name))
    return [[keyword, Object.fromEntries(rest)]]
  })
  return Object.fromEntries(without)
}

const MAX_BRANCHES = 8

/** Returns what is wrong with arguments that a model must not give. The value of a fixed one may be repeated. */
export function findShapedArguments(
  values: Readonly<Record<string, unknown>>,
  shape: EntryShape | undefined,
): readonly Problem[] {
  if (!shape) return []
  const { fixed = {}, hidden = [] } = shape
  const isGiven = (name: string): boolean => Object.hasOwn(values, name)
  return [
    ...Object.keys(fixed)
      .filter((name) => isGiven(name) && !isSame(values[name], fixed[name]))
      .map((name) => ({
        path: appendPointer('', name),
        message: 'the host has fixed the value of this argument; leave it out',
      })),
    ...hidden.filter(isGiven).map((name) => ({
      path: appendPointer('', name),
      message: 'the tool has no such argument here; leave it out',
    })),
  ]
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Returns the complete arguments of a call: with the fixed ones, and without those that no call has. */
export function withShapedArguments(values: JsonObject, shape: EntryShape | undefined): JsonObject {
  if (!shape) return values
  const { fixed = {}, hidden = [] } = shape
  const all = Object.entries({ ...values, ...structuredClone(fixed) })
  return Object.fromEntries(all.filter(([name]) => !hidden.includes(name)))
}

/** Adds to the result of a call which arguments were fixed, and which parts of its data a model gets. An error is given whole. */
export function withShape(result: ToolResult, { shape }: Pick<ToolEntry, 'shape'>): ToolResult {
  if (!shape) return result
  const { fixed = {}, select = [] } = shape
  const { isSelected, warnings } = checkSelection(result, select)
  const metadata = {
    ...result.metadata,
    ...(Object.keys(fixed).length > 0 && { fixed }),
    ...(isSelected && { select }),
  }
  return withWarnings({ ...result, metadata }, { after: warnings })
}

/** Whether a result has any of the selected parts, and which it lacks. */
function checkSelection(
  result: ToolResult,
  select: readonly string[],
): { isSelected: boolean; warnings: readonly ExecutorProblem[] } {
  const isRunning = (result.metadata?.handle?.status ?? 'stopped') !== 'stopped'
  if (select.length === 0 || result.isError || isRunning) return { isSelected: false, warnings: [] }
  const data = findResultData(result)
  const { selected, unmatched } = data ? selectData(data.value, select) : { unmatched: select }
  if (!selected) {
    const why = data
      ? 'its data has none of the selected parts'
      : 'it has no data to select from: neither structured content nor a single text that is JSON'
    const message = `the model gets the whole result: ${why}`
    return { isSelected: false, warnings: [{ path: '', message, code: 'nothing-selected' }] }
  }
  const warnings = unmatched.map((path): ExecutorProblem => {
    const message = 'the data has no part at this path, which is selected for the model'
    return { path, message, code: 'nothing-selected' }
  })
  return { isSelected: true, warnings }
}
