import {
  requireArguments,
  splitPointer,
  correctSchema,
  firstSentence,
  getOwnField,
} from '@toolblocks/protocol/internal'
import {
  type ContentBlock,
  type JsonObject,
  type ParameterDefinition,
  type Tool,
  type ToolDefinition,
  createFailure,
  createSuccessResult,
  isJsonObject,
  schemaToParameters,
} from '@toolblocks/protocol'

/** The name of the built-in tool that describes other tools in full. */
export const DESCRIBE_TOOLS = 'describe_tools'

/** Which text of a tool a model receives with its definition, if the tool has both. */
export type ReceivedText = 'summary' | 'description'

/**
 * Creates the built-in tool that describes tools to a model: summary, description, examples and arguments, one Markdown block for each tool. A
 * model needs it for what it does not receive with the definitions. An executor adds it if a tool has such texts: examples, and a description beside
 * a summary (`receivedText`).
 *
 * @param definitions Returns the tools at the time of a call.
 */
export function createDescribeTools(definitions: () => readonly ToolDefinition[]): Tool {
  return {
    name: DESCRIBE_TOOLS,
    summary: 'Get the full description of tools, with examples, before you use them.',
    inputSchema: {
      type: 'object',
      properties: {
        tools: {
          type: 'array',
          items: { type: 'string' },
          minItems: 1,
          description: 'Names of tools.',
        },
      },
      required: ['tools'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
    execute: async ({ arguments: { tools } }) => {
      const known = new Map(definitions().map((definition) => [definition.name, definition]))
      const names = [...new Set(Array.isArray(tools) ? tools.map(String) : [])]
      const unknown = names.filter((name) => !known.has(name))
      const matches = names.flatMap((name) => known.get(name) ?? [])
      const content = matches.map((definition): ContentBlock => ({
        type: 'text',
        text: describeInFull(definition),
        mimeType: 'text/markdown',
      }))
      if (unknown.length === 0) return createSuccessResult(content)
      const text = explainUnknown(unknown, [...known.keys()])
      const missing = { type: 'text', text } as const
      return matches.length > 0
        ? createSuccessResult([...content, missing])
        : createFailure([missing])
    },
  }
}

function explainUnknown(unknown: readonly string[], known: readonly string[]): string {
  const names = unknown.map((name) => JSON.stringify(name)).join(', ')
  const there =
    known.length === 0 ? 'there are no tools' : `the tools are: ${known.toSorted().join(', ')}`
  return `There is no tool ${names}; ${there}.`
}

/** Whether a tool has more to describe than a model receives with its definition. */
export function hasMore(
  { summary, description, examples }: ToolDefinition,
  received: ReceivedText,
): boolean {
  const isLonger = received === 'summary' && Boolean(description)
  return Boolean(summary) && (isLonger || Boolean(examples))
}

/** Describes a tool in full, as Markdown. */
function describeInFull(definition: ToolDefinition): string {
  const parameters = parameterLines(
    schemaToParameters(correctSchema(definition.inputSchema).schema),
    '',
  )
  return joinParts([
    `# ${definition.name}`,
    describeParts(definition),
    section('Arguments', parameters.join('\n') || 'None.'),
  ])
}

/** Returns the texts of a tool as Markdown: summary, description and examples. */
export function describeParts({
  summary = '',
  description = '',
  examples = '',
}: ToolDefinition): string {
  const isRepeated = summary === description || summary === firstSentence(description)
  return joinParts([isRepeated ? '' : summary, description, section('Examples', examples)])
}

function joinParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}

function section(title: string, text: string): string {
  return text === '' ? '' : `## ${title}\n\n${text}`
}

function parameterLines(
  parameters: Readonly<Record<string, ParameterDefinition>>,
  indent: string,
): readonly string[] {
  return Object.entries(parameters).flatMap(([name, parameter]) => [
    `${indent}- \`${name}\` (${describeParameter(parameter)})${getText(parameter)}`,
    ...partLines(parameter, `${indent}  `),
  ])
}

/** Describes the properties of an object and the items of a list. */
function partLines({ properties = {}, items }: ParameterDefinition, indent: string): string[] {
  const each = items && [
    `${indent}- each element (${parameterType(items)})${getText(items)}`,
    ...partLines(items, `${indent}  `),
  ]
  return [...parameterLines(properties, indent), ...(each ?? [])]
}

function getText({ summary, description = '' }: ParameterDefinition): string {
  const text = (summary ?? description).replaceAll(/\s*\n\s*/g, ' ').trim()
  return text && `: ${text}`
}

/** Returns the facts of a parameter, except its texts: `string, required`, `"a" | "b", default "a"`. */
export function describeParameter(parameter: ParameterDefinition): string {
  requireArguments('describeParameter(parameter)', [parameter, 'object'])
  return [parameterType(parameter), need(parameter)].join(', ')
}

/** Returns the allowed values: `string or null`, `"a" | "b"`; of a union those of its branches, of a reference those of its target or its name. */
function parameterType(parameter: ParameterDefinition): string {
  const { $defs } = parameter
  const types = listTypes(parameter, { definitions: isJsonObject($defs) ? $defs : {}, depth: 0 })
  return types.length === 0 ? 'any' : [...new Set(types)].join(' or ')
}

/** The maximum of references and unions inside each other that are followed. */
const MAX_FOLLOWED = 8

/** Returns what a parameter says of its values; nothing if it says nothing. */
function listTypes(
  schema: unknown,
  where: { definitions: JsonObject; depth: number },
): readonly string[] {
  if (!isJsonObject(schema) || where.depth === MAX_FOLLOWED) return []
  const { type, enum: values, $ref, anyOf, oneOf, allOf, properties, items } = schema
  const inner = { ...where, depth: where.depth + 1 }
  if (Array.isArray(values)) return [values.map((value) => JSON.stringify(value)).join(' | ')]
  if (Object.hasOwn(schema, 'const')) return [JSON.stringify(schema['const'])]
  if (type !== undefined) return [type].flat().map(String)
  if (typeof $ref === 'string') {
    const name = splitPointer($ref.slice(1)).at(-1) ?? ''
    const target = listTypes(getOwnField(where.definitions, name), inner)
    return target.length > 0 || name === '' ? target : [name]
  }
  const union = [anyOf, oneOf].find(Array.isArray)
  if (union) {
    const branches = union.map((branch) => listTypes(branch, inner))
    // A branch that takes any value makes the union take it.
    return branches.some(({ length }) => length === 0) ? [] : branches.flat()
  }
  if (Array.isArray(allOf)) {
    const parts = allOf.map((part) => listTypes(part, inner))
    return parts.find(({ length }) => length > 0) ?? []
  }
  if (isJsonObject(properties)) return ['object']
  return items === undefined ? [] : ['array']
}

function need({ required, type, default: value }: ParameterDefinition): string {
  if (value !== undefined) return `default ${JSON.stringify(value)}`
  return (required ?? ![type].flat().includes('null')) ? 'required' : 'optional'
}
