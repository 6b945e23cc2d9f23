import {
  appendPointer,
  createErrorResult,
  describeBadArguments,
  fillDefaults,
  type JsonObject,
  type JsonSchema,
  type Problem,
  type ToolResult,
} from '@toolblocks/protocol'
import type { DefinedTool } from './defined-tool.ts'
import type { StandardIssue } from '../schemas/schema.ts'
import { isDefinitelyValid } from '@toolblocks/schema-check/quick-check'

/** The arguments as the tool gets them, or the result that names what is wrong with each. */
export type CheckedArguments =
  /** Of the type that the schema says, whatever it is. */
  { ok: true; value: never } | { ok: false; result: ToolResult }

/**
 * Checks the arguments of a call: by the JSON Schema, then by the library that made it, which may change them. Defaults are filled in by that
 * library, else here.
 */
export async function checkArguments(
  { name, definition: { inputSchema }, validate }: DefinedTool,
  given: JsonObject,
): Promise<CheckedArguments> {
  const values = validate ? given : fillDefaults(given, inputSchema)
  const problems = isDefinitelyValid(values, inputSchema)
    ? []
    : await findProblems(values, inputSchema)
  if (problems.length > 0) return refuse(name, problems)
  if (!validate) return accept(values)
  const said = await validate(values)
  return said.issues ? refuse(name, said.issues.map(issueToProblem)) : accept(said.value)
}

function accept(value: unknown): CheckedArguments {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema has the type of what `run` takes
  return { ok: true, value: value as never }
}

function refuse(tool: string, problems: readonly Problem[]): CheckedArguments {
  return { ok: false, result: createErrorResult(describeBadArguments(tool, problems)) }
}

async function findProblems(values: JsonObject, schema: JsonSchema): Promise<readonly Problem[]> {
  const { compileSchema } = await import('@toolblocks/schema-check')
  const compiled = compileSchema(schema)
  if (!compiled.ok)
    throw new Error(`the schema of its arguments is none: ${compiled.problems[0]?.message}`)
  const { verdict, problems } = compiled.check(values)
  // What cannot be checked is left to the library, or to the tool.
  return verdict === 'invalid' ? problems : []
}

function issueToProblem({ message, path = [] }: StandardIssue): Problem {
  const steps = path.map((step) => (typeof step === 'object' ? step.key : step))
  return { path: steps.reduce<string>((at, step) => appendPointer(at, String(step)), ''), message }
}
