import {
  createErrorResult,
  type JsonObject,
  type JsonSchema,
  type Problem,
  readResultValue,
  type ToolResult,
} from '@toolblocks/protocol'
import {
  appendPointer,
  fillDefaults,
  describeBadArguments,
  describeValue,
  shortenText,
} from '@toolblocks/protocol/internal'
import type { CheckValue, CompiledSchema } from '@toolblocks/schema-check'
import { isDefinitelyValid } from '@toolblocks/schema-check/internal/quick-check'
import type { Validate } from '../schemas/schema.ts'
import type { StandardIssue } from '../schemas/schema.ts'
import type { ToolParts } from './defined-tool.ts'

/** The arguments as the tool gets them, or the result that names what is wrong with each. */
export type ArgumentsCheck =
  /** The value has the type of the schema. */
  { ok: true; value: never } | { ok: false; result: ToolResult }

/**
 * Checks the arguments of a call against the JSON Schema, without a null that it refuses for an optional argument, then with the library that made it, which may transform them. The library fills in
 * defaults; without one they are filled in here.
 */
export async function checkArguments(
  { name, definition: { inputSchema }, validate }: ToolParts,
  callArguments: JsonObject,
): Promise<ArgumentsCheck> {
  const complete = (unfilled: JsonObject): JsonObject =>
    validate ? unfilled : fillDefaults(unfilled, inputSchema)
  const completed = complete(callArguments)
  const { arguments: values, problems } = isDefinitelyValid(completed, inputSchema)
    ? { arguments: completed, problems: [] }
    : await readArguments(completed, inputSchema, complete)
  if (problems.length > 0) return refuse(name, problems)
  if (!validate) return accept(values)
  const result = await validate(values)
  return result.issues ? refuse(name, toProblems(result.issues, values)) : accept(result.value)
}

function accept(value: unknown): ArgumentsCheck {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema has the type of what `run` takes
  return { ok: true, value: value as never }
}

function refuse(tool: string, problems: readonly Problem[]): ArgumentsCheck {
  return { ok: false, result: createErrorResult(describeBadArguments(tool, getFirst(problems))) }
}

/** Reads arguments by the schema, which refuses those with problems. A null for an optional argument is omitted. */
async function readArguments(
  values: JsonObject,
  schema: JsonSchema,
  complete: (values: JsonObject) => JsonObject,
): Promise<{ arguments: JsonObject; problems: readonly Problem[] }> {
  const { checkArguments: checkJson, compileInputSchema } = await import('@toolblocks/schema-check')
  const { verdict, problems, ...checked } = checkJson(
    getCheck(compileInputSchema(schema)),
    values,
    complete,
  )
  return { ...checked, problems: verdict === 'invalid' ? problems : [] }
}

/** Finds what is wrong with a value. A schema that cannot be checked here finds nothing: the library, or the tool, decides then. */
export async function findProblems(
  value: unknown,
  schema: JsonSchema,
): Promise<readonly Problem[]> {
  const { compileSchema } = await import('@toolblocks/schema-check')
  const { verdict, problems } = getCheck(compileSchema(schema))(value)
  return verdict === 'invalid' ? problems : []
}

function getCheck(compiled: CompiledSchema): CheckValue {
  if (compiled.ok) return compiled.check
  throw new Error(`its schema is not a JSON Schema: ${compiled.problems[0]?.message}`)
}

/**
 * Checks structured data that a tool returned: the data of a semantic value, or the whole. Returns the result, or an error result that names what does
 * not fit.
 */
export async function checkOutput(
  { name, output }: ToolParts,
  result: ToolResult,
): Promise<ToolResult> {
  if (!output || result.isError) return result
  const { structuredContent: whole } = result
  const semantic = readResultValue(whole)
  if (semantic && (await findOutputProblems(semantic.data, output)).length === 0) return result
  const problems = await findOutputProblems(whole, output)
  if (problems.length === 0) return result
  const dataProblems = semantic ? await findOutputProblems(semantic.data, output) : problems
  const lines = getFirst(dataProblems).map(
    ({ path, message }) => `- ${path || '(data)'}: ${message}`,
  )
  return createErrorResult(
    [
      `The tool ${JSON.stringify(name)} failed: what it returned does not fit its outputSchema. This is a mistake in the tool.`,
      ...lines,
    ].join('\n'),
  )
}

async function findOutputProblems(
  value: unknown,
  { schema, validate }: { readonly schema: JsonSchema; readonly validate?: Validate },
): Promise<readonly Problem[]> {
  if (!isDefinitelyValid(value, schema)) {
    const problems = await findProblems(value, schema)
    if (problems.length > 0) return problems
  }
  const result = await validate?.(value)
  return result?.issues ? toProblems(result.issues, value) : []
}

/** Problems that are told of one value: who gets twenty mends those first. */
const MOST_PROBLEMS = 20

function getFirst(problems: readonly Problem[]): readonly Problem[] {
  const more = problems.length - MOST_PROBLEMS
  if (more <= 0) return problems
  return [...problems.slice(0, MOST_PROBLEMS), { path: '…', message: `and ${more} more` }]
}

/** Longer messages are dumps of schemas and values. */
const LONGEST_MESSAGE = 200
const LONGEST_EXPECTED = 80

/** What a schema library found, in few words: the place, what was expected, and what came. */
export function toProblems(issues: readonly StandardIssue[], value: unknown): readonly Problem[] {
  return issues.map((issue) => {
    const steps = (issue.path ?? []).map((step) => (typeof step === 'object' ? step.key : step))
    const path = steps.reduce<string>((pointer, step) => appendPointer(pointer, String(step)), '')
    return { path, message: describeIssue(issue, valueAt(value, steps)) }
  })
}

function describeIssue({ message, expected }: StandardIssue, value: unknown): string {
  const got = describeValue(value)
  if (
    typeof expected === 'string' &&
    expected !== '' &&
    expected.length <= LONGEST_EXPECTED &&
    isType(message)
  )
    return value === undefined
      ? `expected ${expected}, got nothing`
      : `expected ${expected}, got ${got}`
  const [line = ''] = message.split('\n')
  // ArkType and Valibot write the value into their messages, whatever its size.
  const shortMessage = line.replace(/ \(was [^]*\)$/, '').replace(/ but received [^]*$/, '')
  return `${shortenText(shortMessage, LONGEST_MESSAGE)} (got ${got})`
}

/** Whether a message is of the wrong type, which each library says in its own words. */
function isType(message: string): boolean {
  return /^Invalid (?:input|type): /.test(message) || / must be an? \w+ \(was /.test(message)
}

function valueAt(value: unknown, steps: readonly PropertyKey[]): unknown {
  return steps.reduce<unknown>(
    (part, step) =>
      typeof part === 'object' && part !== null && Object.hasOwn(part, step)
        ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own property, which was just found
          (part as Readonly<Record<PropertyKey, unknown>>)[step]
        : undefined,
    value,
  )
}
