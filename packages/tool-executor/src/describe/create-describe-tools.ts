import {
  createFailure,
  createSuccessResult,
  type ContentBlock,
  type Tool,
  type ToolDefinition,
} from '@toolblocks/protocol'
import { describeInFull } from './describe-in-full.ts'

/** The name of the built-in tool that tells all that is known of others. */
export const DESCRIBE_TOOLS = 'describe_tools'

/**
 * Makes the built-in tool that tells a model all that is known of tools: their summary, description, examples and arguments, one
 * block of Markdown each. A model needs it where it is sent summaries only. An executor offers it by itself, as soon as a
 * tool has a `summary` and a `description` or `examples`.
 *
 * @param definitions Gives the tools there are, at the time of a call.
 */
export function createDescribeTools(definitions: () => readonly ToolDefinition[]): Tool {
  return {
    name: DESCRIBE_TOOLS,
    summary: 'Get the whole description of tools, with examples, before you use them.',
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
      const found = names.flatMap((name) => known.get(name) ?? [])
      const content = found.map(toBlock)
      if (unknown.length === 0) return createSuccessResult(content)
      const missing = toText(explainUnknown(unknown, [...known.keys()]))
      return found.length > 0
        ? createSuccessResult([...content, missing])
        : createFailure([missing])
    },
  }
}

function toBlock(definition: ToolDefinition): ContentBlock {
  return { type: 'text', text: describeInFull(definition), mimeType: 'text/markdown' }
}

function toText(text: string): ContentBlock {
  return { type: 'text', text }
}

function explainUnknown(unknown: readonly string[], known: readonly string[]): string {
  const names = unknown.map((name) => JSON.stringify(name)).join(', ')
  const there =
    known.length === 0 ? 'there are none' : `the tools are: ${known.toSorted().join(', ')}`
  return `There is no tool ${names}; ${there}.`
}
