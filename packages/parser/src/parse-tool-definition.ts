import { type Problem, type ToolDefinition } from '@toolblocks/protocol'
import { isJsonSchema, describeValue } from '@toolblocks/protocol/internal'
import { asObject, readFields, toolDefinitionShape } from './blocks/read-fields.ts'
import { type Reading, type WarningCode, startReading, warn } from './reading/reading.ts'

/** The result of reading a tool definition. */
export interface ParsedToolDefinition {
  /** Absent if the definition has no name or no schema. */
  definition?: ToolDefinition
  /** The warnings. Paths are relative to the definition. */
  warnings: readonly Problem<WarningCode>[]
}

/**
 * Reads one tool of a server's list. A field of the wrong type is omitted with a warning, `null` in an optional field without one. Unknown fields
 * stay. An invalid definition does not affect others. Never throws. Source: MCP 2025-11-25, `Tool`.
 */
export function parseToolDefinition(value: unknown): ParsedToolDefinition {
  const reading = startReading('mcp', 'value')
  try {
    const definition = readDefinition(value, reading)
    return { ...(definition && { definition }), warnings: reading.warnings }
  } catch {
    // A getter or proxy threw. JSON has neither.
    return { warnings: [...reading.warnings, refusal('an object', 'something that throws')] }
  }
}

function readDefinition(value: unknown, reading: Reading): ToolDefinition | undefined {
  const object = asObject(value, reading)
  if (!object) return refuse('an object', value, reading)
  const { name, inputSchema } = object
  if (typeof name !== 'string' || name === '') return refuse('a "name"', name, reading)
  if (!isJsonSchema(inputSchema)) return refuse('an "inputSchema"', inputSchema, reading)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every field has been checked
  return readFields(object, toolDefinitionShape, reading) as unknown as ToolDefinition
}

function refuse(needs: string, got: unknown, reading: Reading): undefined {
  warn(reading, { ...refusal(needs, describeValue(got)), code: 'malformed-definition' })
  return undefined
}

function refusal(expected: string, got: string): Required<Problem<WarningCode>> {
  const message = `The tool was omitted: its definition needs ${expected}.`
  return { path: '', message, expected, got, code: 'malformed-definition' }
}
