import {
  type ParameterDefinition,
  schemaToParameters,
  type ToolDefinition,
} from '@toolblocks/protocol'
import { parameterFacts, parameterType } from './parameter-facts.ts'

/** Whether there is more to say of a tool than its summary, which a model gets with every request. */
export function hasMore({ summary, description, examples }: ToolDefinition): boolean {
  return Boolean(summary) && (Boolean(description) || Boolean(examples))
}

/** All that is known of a tool, in Markdown. */
export function describeInFull(definition: ToolDefinition): string {
  const { name, summary = '', description = '', examples = '', inputSchema } = definition
  const parameters = parameterLines(schemaToParameters(inputSchema), '')
  return [
    `# ${name}`,
    summary,
    description === summary ? '' : description,
    section('Examples', examples),
    section('Arguments', parameters.join('\n') || 'None.'),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function section(title: string, text: string): string {
  return text === '' ? '' : `## ${title}\n\n${text}`
}

function parameterLines(
  parameters: Readonly<Record<string, ParameterDefinition>>,
  indent: string,
): readonly string[] {
  return Object.entries(parameters).flatMap(([name, parameter]) => [
    `${indent}- \`${name}\` (${parameterFacts(parameter)})${textOf(parameter)}`,
    ...partLines(parameter, `${indent}  `),
  ])
}

/** What an object has, and what each element of a list is. */
function partLines({ properties = {}, items }: ParameterDefinition, indent: string): string[] {
  const each = items && [
    `${indent}- each element (${parameterType(items)})${textOf(items)}`,
    ...partLines(items, `${indent}  `),
  ]
  return [...parameterLines(properties, indent), ...(each ?? [])]
}

function textOf({ summary, description = '' }: ParameterDefinition): string {
  const text = (summary ?? description).replaceAll(/\s*\n\s*/g, ' ').trim()
  return text && `: ${text}`
}
