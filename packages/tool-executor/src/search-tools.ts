import {
  createFailure,
  createSuccessResult,
  type JsonSchema,
  type Tool,
  type ToolCall,
  type ToolDefinition,
  type ToolResult,
  isJsonObject,
} from '@toolblocks/protocol'
import type { default as MiniSearch } from 'minisearch'
import { describeParts } from './describe-tools.ts'

/** The name of the built-in tool that finds deferred tools. */
export const SEARCH_TOOLS = 'search_tools'
/** The name of the built-in tool that calls a deferred tool. */
export const CALL_TOOL = 'call_tool'

/**
 * How a model calls a deferred tool that it has found. `listed`: by its name; the next request contains its definition. `call-tool`: through the built-in tool
 * `call_tool`, for clients that read the list of tools once.
 */
export type FoundToolsForm = 'listed' | 'call-tool'

/** A deferred tool, and where it comes from. */
export interface DeferredTool {
  definition: ToolDefinition
  /** Shown to the model as a group of tools. */
  source?: string | undefined
}

/** Tools that a search returns, at most. */
const MAX_FOUND = 20
const USUAL_FOUND = 5
/** Characters of a query, and of one tool's texts, that are read. */
const MAX_QUERY = 500
const MAX_TEXT = 4000
/** Groups of tools that the description of the tool names. */
const MAX_GROUPS = 30

/** Creates the built-in tool that finds deferred tools by words. `metadata.foundTools` of its results has the names, best match first. */
export function createSearchTools(deferred: readonly DeferredTool[], form: FoundToolsForm): Tool {
  let index: Promise<MiniSearch<IndexedTool>> | undefined
  const known = new Map(deferred.map((each) => [each.definition.name, each.definition]))
  return {
    name: SEARCH_TOOLS,
    description: describeSearch(deferred, form),
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          minLength: 1,
          description: 'Words for what the tool does, or its name.',
        },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: MAX_FOUND,
          default: USUAL_FOUND,
          description: 'Maximum number of tools to return.',
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
    execute: async ({ arguments: { query, limit } }) => {
      index ??= indexTools(deferred)
      const text = String(query).slice(0, MAX_QUERY)
      const names = (await index).search(text).map(({ id }): string => id)
      const definitions = [
        ...(known.has(text) ? [text] : []),
        ...names.filter((name) => name !== text),
      ]
        .slice(0, typeof limit === 'number' ? limit : USUAL_FOUND)
        .flatMap((name) => known.get(name) ?? [])
      return definitions.length === 0
        ? createSuccessResult([{ type: 'text', text: explainNothing(deferred) }])
        : describeFound(definitions, { total: known.size, form })
    },
  }
}

/** Creates the built-in tool that calls a deferred tool. The executor runs the call of the named tool in its place. */
export function createCallTool(): Tool {
  return {
    name: CALL_TOOL,
    description: `Calls a tool that ${SEARCH_TOOLS} has found.`,
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name of the tool.' },
        arguments: { type: 'object', description: 'The arguments, as its inputSchema says.' },
      },
      required: ['name'],
      additionalProperties: false,
    },
    execute: async () => createFailure(`${CALL_TOOL} can only be called through its executor.`),
  }
}

/** Returns the call that a call of `call_tool` stands for; a result if it names no tool. */
export function readNamedCall(
  call: ToolCall,
): { ok: true; call: ToolCall } | { ok: false; result: ToolResult } {
  const { name, arguments: values = {} } = call.arguments
  if (typeof name !== 'string' || name === CALL_TOOL) {
    const text = `Invalid arguments for ${CALL_TOOL}; no tool was run. Expected {"name": the name of a tool, "arguments": {…}}. ${SEARCH_TOOLS} finds tools.`
    return { ok: false, result: createFailure(text) }
  }
  // The executor reads arguments that are not an object, and explains what is wrong.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked where all arguments are read
  return { ok: true, call: { ...call, name, arguments: values as ToolCall['arguments'] } }
}

function describeSearch(deferred: readonly DeferredTool[], form: FoundToolsForm): string {
  const use =
    form === 'listed' ? 'Then call them by their names.' : `Then call them with ${CALL_TOOL}.`
  return `Finds tools that are not in the list of tools. Search before you say that something cannot be done. ${use} ${describeGroups(deferred)}`
}

/** For example `412 tools can be found: mcp.github (90), local (3).` */
function describeGroups(deferred: readonly DeferredTool[]): string {
  const counts = new Map<string, number>()
  for (const { source = 'other' } of deferred) counts.set(source, (counts.get(source) ?? 0) + 1)
  const groups = [...counts].slice(0, MAX_GROUPS).map(([source, count]) => `${source} (${count})`)
  const more = counts.size > MAX_GROUPS ? [`${counts.size - MAX_GROUPS} more groups`] : []
  return `${deferred.length} tools can be found: ${[...groups, ...more].join(', ')}.`
}

function explainNothing(deferred: readonly DeferredTool[]): string {
  return `No tool matches. Search with other words. ${describeGroups(deferred)}`
}

function describeFound(
  definitions: readonly ToolDefinition[],
  { total, form }: { total: number; form: FoundToolsForm },
): ToolResult {
  const [how, describe] =
    form === 'listed'
      ? (['You can call them by their names from now on.', describeBriefly] as const)
      : ([`Call them with ${CALL_TOOL}.`, describeWithSchema] as const)
  const head = { type: 'text', text: `${definitions.length} of ${total} tools. ${how}` } as const
  const tools = definitions.map(
    (definition) => ({ type: 'text', text: describe(definition) }) as const,
  )
  const result = createSuccessResult([head, ...tools])
  return {
    ...result,
    metadata: { ...result.metadata, foundTools: definitions.map(({ name }) => name) },
  }
}

/** The next request has the whole definition. */
function describeBriefly({ name, title, summary, description }: ToolDefinition): string {
  const [line = ''] = (summary ?? description ?? title ?? '').trim().split('\n')
  return line === '' ? name : `${name}: ${line}`
}

function describeWithSchema(definition: ToolDefinition): string {
  const { name, inputSchema } = definition
  const description = describeParts(definition)
  return JSON.stringify({ name, ...(description !== '' && { description }), inputSchema })
}

/** The texts of a tool that are searched. */
interface IndexedTool {
  id: string
  name: string
  title: string
  about: string
  parameters: string
}

async function indexTools(deferred: readonly DeferredTool[]): Promise<MiniSearch<IndexedTool>> {
  // Most hosts have no deferred tools.
  const { default: Search } = await import('minisearch')
  const index = new Search<IndexedTool>({
    fields: ['name', 'title', 'about', 'parameters'],
    tokenize: splitWords,
    searchOptions: {
      boost: { name: 4, title: 3, about: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  })
  index.addAll(deferred.map(toIndexedTool))
  return index
}

function toIndexedTool({ definition, source = '' }: DeferredTool): IndexedTool {
  const { name, title = '', inputSchema } = definition
  return {
    id: name,
    name: `${name} ${source}`,
    title,
    about: describeParts(definition).slice(0, MAX_TEXT),
    parameters: describeParameters(inputSchema).slice(0, MAX_TEXT),
  }
}

/** The names and descriptions of the arguments. */
function describeParameters(schema: JsonSchema): string {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined
  if (!isJsonObject(properties)) return ''
  return Object.entries(properties)
    .map(([name, about]) => {
      const description = isJsonObject(about) ? about['description'] : undefined
      return typeof description === 'string' ? `${name} ${description}` : name
    })
    .join(' ')
}

/** Splits `createIssue`, `create_issue` and `create-issue` into the same words. */
function splitWords(text: string): string[] {
  return text
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
