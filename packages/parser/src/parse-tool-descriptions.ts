import {
  type JsonObject,
  type Problem,
  type ToolDescription,
  isJsonObject,
} from '@toolblocks/protocol'
import {
  requireArguments,
  MAX_SCHEMA_DEPTH,
  isParameterDefinition,
  describeValue,
} from '@toolblocks/protocol/internal'
import { readFields, toolDescriptionShape } from './blocks/read-fields.ts'
import { parseDocument } from './output/parse-document.ts'
import { decodeOutput } from './output/truncate-output.ts'
import { type Reading, type WarningCode, startReading, warn } from './reading/reading.ts'

/** A warning about a part of a description that was omitted or repaired. */
export interface DescriptionWarning extends Problem<WarningCode> {
  /** The name of the entry; absent if the entry has no name. */
  tool?: string
}

/** The result of reading an executable's answer to the action `schema`. */
export type ParsedToolDescriptions =
  | {
      ok: true
      /** The valid descriptions, in the order of the document. */
      tools: readonly ToolDescription[]
      /** Omitted or repaired parts. Paths are in the document: `/tools/0/summary`. */
      warnings: readonly DescriptionWarning[]
    }
  /** The output is not such a document. The message is the end of a sentence that starts with the executable. */
  | { ok: false; problems: readonly Problem[] }

/**
 * Reads the output of an executable that was asked to describe itself: `{"tools": […]}` (docs/protocol.md). An invalid entry does not affect
 * others. A field of the wrong type is omitted with a warning, `null` in an optional field without one. Throws only an `InvalidArgumentError`, for an
 * argument of another kind.
 */
export function parseToolDescriptions(output: string | Uint8Array): ParsedToolDescriptions {
  requireArguments('parseToolDescriptions(output)', [output, 'bytes or string'])
  const { text } = typeof output === 'string' ? { text: output } : decodeOutput(output)
  const parsed = parseDocument(text)
  if ('limit' in parsed) return fail('printed more than a description may contain')
  if (!('document' in parsed))
    return fail(text.trim() === '' ? 'printed nothing' : 'printed text that is not a JSON object')
  const { tools } = parsed.document
  if (!Array.isArray(tools))
    return fail(`printed a JSON object whose "tools" is ${describeValue(tools)}`)
  return { ok: true, ...readEntries(tools) }
}

function fail(message: string): ParsedToolDescriptions {
  return { ok: false, problems: [{ path: '', message }] }
}

function readEntries(entries: readonly unknown[]): {
  tools: ToolDescription[]
  warnings: DescriptionWarning[]
} {
  const tools = new Map<string, ToolDescription>()
  const warnings: DescriptionWarning[] = []
  for (const [index, entry] of entries.entries()) {
    const reading = startReading('tool', 'text')
    const description = readEntry(entry, reading)
    if (description && tools.has(description.name))
      omitDescription(reading, { expected: 'a unique name', got: JSON.stringify(description.name) })
    else if (description) tools.set(description.name, description)
    const tool = findName(entry)
    warnings.push(
      ...reading.warnings.map((warning) => ({
        ...warning,
        path: `/tools/${index}${warning.path}`,
        ...(tool !== undefined && { tool }),
      })),
    )
  }
  return { tools: [...tools.values()], warnings }
}

function findName(entry: unknown): string | undefined {
  const name = isJsonObject(entry) ? entry['name'] : undefined
  return typeof name === 'string' && name !== '' ? name : undefined
}

function readEntry(entry: unknown, reading: Reading): ToolDescription | undefined {
  if (!isJsonObject(entry))
    return omitDescription(reading, { expected: 'an object', got: describeValue(entry) })
  if (findName(entry) === undefined)
    return omitDescription(reading, { expected: 'a "name"', got: describeValue(entry['name']) })
  const { parameters: declared, ...rest } = entry
  const parameters =
    declared === undefined || declared === null ? undefined : readParameters(declared)
  const isUsable = parameters === undefined || areDefinitions(parameters)
  if (!isUsable)
    return omitDescription(reading, {
      expected: '"parameters" that are objects by name (docs/protocol.md)',
      got: describeValue(declared),
      at: '/parameters',
    })
  const read = readFields(rest, toolDescriptionShape, reading)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every field has been checked
  return { ...read, ...(parameters && { parameters }) } as unknown as ToolDescription
}

function areDefinitions(parameters: unknown): parameters is JsonObject {
  return isJsonObject(parameters) && Object.values(parameters).every(isParameterDefinition)
}

function omitDescription(
  reading: Reading,
  { expected, got, at = '' }: { expected: string; got: string; at?: string },
): undefined {
  const message = `The tool was omitted: its description needs ${expected}, got ${got}.`
  warn(reading, { code: 'malformed-definition', message, expected, got, at })
}

/** Fields of a parameter in which `null` means absent. Some languages write it. */
const OPTIONAL = [
  'type',
  'summary',
  'description',
  'required',
  'enum',
  'items',
  'properties',
  'examples',
]

/** Returns the parameters of a description without `null` for absent fields. A value that is not an object is returned unchanged. */
function readParameters(parameters: unknown, depth = 0): unknown {
  if (!isJsonObject(parameters) || depth > MAX_SCHEMA_DEPTH) return parameters
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [name, readParameter(parameter, depth)]),
  )
}

function readParameter(parameter: unknown, depth: number): unknown {
  if (!isJsonObject(parameter) || depth > MAX_SCHEMA_DEPTH) return parameter
  const entries = Object.entries(parameter).filter(
    ([key, value]) => value !== null || !isAbsence(key, parameter),
  )
  const isOptional = parameter['default'] === null && (parameter['required'] ?? null) === null
  return {
    ...Object.fromEntries(
      entries.map(([key, value]) => {
        if (key === 'items') return [key, readParameter(value, depth + 1)]
        return [key, key === 'properties' ? readParameters(value, depth + 1) : value]
      }),
    ),
    // The tool says what it does without the argument, although its type has no such value.
    ...(isOptional && isAbsence('default', parameter) && { required: false }),
  }
}

/** A default of `null` is a default if the type allows `null`. Otherwise it says that the argument may be absent. */
function isAbsence(key: string, { type }: JsonObject): boolean {
  if (key !== 'default') return OPTIONAL.includes(key)
  return !(type === undefined || type === 'null' || (Array.isArray(type) && type.includes('null')))
}
