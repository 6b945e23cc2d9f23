import { type JsonSchema, type Problem, isJsonObject } from '@toolblocks/protocol'
import {
  appendPointer,
  fillDefaults,
  describeValue,
  fenceText,
} from '@toolblocks/protocol/internal'
import { isDefinitelyValid } from '@toolblocks/schema-check/internal/quick-check'
import { findProblems, toProblems } from '../run/check-arguments.ts'
import type { ToolParts } from '../run/defined-tool.ts'
import type { Validate } from '../schemas/schema.ts'
import { ToolDefinitionError } from '../schemas/tool-definition-error.ts'

/** Example arguments in the order in which they were given. */
type Examples = readonly unknown[]

/**
 * Checks example arguments without loading the thorough check, which would cost each start 150 ms. Returns those that it is not sure of. Throws a
 * `ToolDefinitionError` for one that does not fit.
 */
export function checkExamples(
  tool: string,
  examples: Examples,
  { inputSchema, validate }: { inputSchema: JsonSchema; validate: Validate | undefined },
): Examples {
  return examples.filter((example, index) => {
    const values = isJsonObject(example) ? fillDefaults(example, inputSchema) : example
    const isSure = isDefinitelyValid(validate ? example : values, inputSchema)
    const problems = validate
      ? askLibrary(validate, example)
      : isSure
        ? []
        : findPlainProblems(values, inputSchema)
    if (problems && problems.length > 0) throw badExample(tool, index, problems)
    return !isSure && (problems === undefined || !validate)
  })
}

/** Checks the examples that `checkExamples` was not sure of. Rejects with a `ToolDefinitionError`. */
export async function checkExamplesThoroughly({
  name,
  uncheckedExamples,
  definition: { inputSchema },
}: ToolParts): Promise<void> {
  for (const example of uncheckedExamples) {
    const values = isJsonObject(example) ? fillDefaults(example, inputSchema) : {}
    const problems = await findProblems(values, inputSchema)
    if (problems.length > 0) throw badExample(name, uncheckedExamples.indexOf(example), problems)
  }
}

function badExample(
  tool: string,
  index: number,
  problems: readonly Problem[],
): ToolDefinitionError {
  const lines = problems.map(({ path, message }) => `${path || '(arguments)'}: ${message}`)
  return new ToolDefinitionError(
    'bad-example',
    `defineTool(${JSON.stringify(tool)}): examples[${index}] does not fit inputSchema: ${lines.join('; ')}`,
  )
}

/** What the library finds at once; `undefined` where it takes its time. */
function askLibrary(validate: Validate, example: unknown): readonly Problem[] | undefined {
  const result = validate(example)
  if (result instanceof Promise) return undefined
  return result.issues ? toProblems(result.issues, example) : []
}

/** The mistakes that authors make most: a missing, unknown or ill-typed argument. */
function findPlainProblems(example: unknown, schema: JsonSchema): readonly Problem[] {
  if (!isJsonObject(example))
    return [{ path: '', message: `expected an object, got ${describeValue(example)}` }]
  if (!isJsonObject(schema)) return []
  const { properties, required, additionalProperties } = schema
  const known = isJsonObject(properties) ? properties : {}
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  const missing = needed.flatMap((name) =>
    typeof name === 'string' && !Object.hasOwn(example, name)
      ? [{ path: appendPointer('', name), message: 'is required and missing' }]
      : [],
  )
  const others = Object.entries(example).flatMap(([name, value]) => {
    const path = appendPointer('', name)
    if (!Object.hasOwn(known, name))
      return additionalProperties === false
        ? [
            {
              path,
              message: `is not a known property; expected one of ${Object.keys(known).join(', ')}`,
            },
          ]
        : []
    const type = isJsonObject(known[name]) ? known[name]['type'] : undefined
    return typeof type === 'string' && !isDefinitelyValid(value, { type })
      ? [{ path, message: `expected ${type}, got ${describeValue(value)}` }]
      : []
  })
  return [...missing, ...others]
}

/** Example arguments in Markdown, as a description carries them: one block of JSON each. */
export function formatExamples(examples: Examples): string {
  return examples.map((example) => fenceText(JSON.stringify(example), 'json')).join('\n\n')
}
