import { LIVE_ACTIONS, describeValue } from '@toolblocks/protocol/internal'
import { isJsonObject } from '@toolblocks/protocol'
import leven from 'leven'
import {
  ToolDefinitionError,
  type ToolDefinitionErrorCode,
} from '../schemas/tool-definition-error.ts'

/** Each option of `defineTool`, and what it must be where it is given. */
const OPTIONS: Readonly<
  Record<string, 'text' | 'object' | 'function' | 'array' | 'boolean' | 'schema'>
> = {
  name: 'text',
  title: 'text',
  summary: 'text',
  description: 'text',
  examples: 'array',
  inputSchema: 'schema',
  parameters: 'object',
  outputSchema: 'schema',
  annotations: 'object',
  stateful: 'boolean',
  actions: 'array',
  formatArguments: 'function',
  run: 'function',
}

/** What other libraries, and people who guess, call our options. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...renameTo('name', ['id', 'toolName', 'tool_name']),
  ...renameTo('inputSchema', [
    'arguments',
    'args',
    'argsSchema',
    'argumentsSchema',
    'input',
    'inputs',
    'input_schema',
    'params',
    'paramsSchema',
    'schema',
  ]),
  ...renameTo('outputSchema', ['output', 'outputs', 'output_schema', 'returns', 'result']),
  ...renameTo('run', [
    'action',
    'call',
    'callback',
    'cb',
    'execute',
    'executeTool',
    'fn',
    'func',
    'handle',
    'handler',
    'implementation',
    'invoke',
  ]),
  ...renameTo('examples', ['example', 'inputExamples', 'input_examples']),
  ...renameTo('annotations', ['hints', 'annotation']),
  ...renameTo('formatArguments', ['format', 'formatArgs', 'format_arguments']),
  ...renameTo('summary', ['short', 'shortDescription', 'short_description']),
}

function renameTo(option: string, others: readonly string[]): Record<string, string> {
  return Object.fromEntries(others.map((other) => [other, option]))
}

/** MCP's hints for hosts. They are claims of the tool, and give it no permission. */
export interface ToolAnnotations {
  /** A name for people. `title` of the tool is the usual place. */
  readonly title?: string
  /** The tool changes nothing. MCP's default: false. */
  readonly readOnlyHint?: boolean
  /** The tool may destroy something, not only add to it. MCP's default: true. */
  readonly destructiveHint?: boolean
  /** A second call with the same arguments changes nothing more. MCP's default: false. */
  readonly idempotentHint?: boolean
  /** The tool reaches an open world, such as the web, not a closed one, such as a store of notes. MCP's default: true. */
  readonly openWorldHint?: boolean
}

const ANNOTATIONS: Readonly<Record<keyof ToolAnnotations, 'string' | 'boolean'>> = {
  title: 'string',
  readOnlyHint: 'boolean',
  destructiveHint: 'boolean',
  idempotentHint: 'boolean',
  openWorldHint: 'boolean',
}

/** A name that every provider of models takes. */
const NAME = /^[A-Za-z0-9_-]{1,128}$/

/** Checks what can be wrong with options whatever the tool does. Throws a `ToolDefinitionError`. */
export function checkOptions(options: unknown): void {
  if (!isJsonObject(options))
    throw new ToolDefinitionError(
      'bad-option',
      `defineTool: expected an object with a name and run, got ${describeValue(options)}`,
    )
  const { name } = options
  const fail = createFail(typeof name === 'string' ? name : undefined)
  for (const option of Object.keys(options)) checkKnown(option, fail)
  if (typeof name !== 'string' || !NAME.test(name))
    fail(
      'bad-name',
      `name: expected letters, digits, "_" and "-", at most 128 of them, got ${describeValue(name)}`,
    )
  for (const [option, kind] of Object.entries(OPTIONS)) {
    const value = options[option]
    if (value === undefined && option !== 'run') continue
    if (!isOf(kind, value))
      fail('bad-option', `${option}: expected ${KIND_NAMES[kind]}, got ${describeValue(value)}`)
  }
  checkPlaceOfSchema(options, fail)
  checkAnnotations(options['annotations'], fail)
  checkActions(options, fail)
}

type Fail = (code: ToolDefinitionErrorCode, message: string) => never

function createFail(name: string | undefined): Fail {
  return (code, message) => {
    const caller = name === undefined ? 'defineTool' : `defineTool(${JSON.stringify(name)})`
    throw new ToolDefinitionError(code, `${caller}: ${message}`)
  }
}

function checkKnown(option: string, fail: Fail): void {
  if (Object.hasOwn(OPTIONS, option)) return
  const quoted = JSON.stringify(option)
  if (Object.hasOwn(ANNOTATIONS, option))
    fail('unknown-option', `${quoted} belongs into annotations: annotations: { ${option}: … }`)
  const right = Object.hasOwn(OTHER_NAMES, option) ? OTHER_NAMES[option] : undefined
  if (right !== undefined)
    fail('unknown-option', `${quoted} is called ${JSON.stringify(right)} here`)
  fail('unknown-option', `unknown option ${quoted}${suggest(option, Object.keys(OPTIONS))}`)
}

/** The known name that was probably meant, else all of them. */
function suggest(unknownName: string, known: readonly string[]): string {
  const near = known
    .map((name) => ({ name, distance: leven(unknownName.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.floor(name.length / 3)))
    .toSorted((one, other) => one.distance - other.distance)[0]
  return near
    ? `; did you mean ${JSON.stringify(near.name)}?`
    : `; expected one of ${known.join(', ')}`
}

const KIND_NAMES = {
  text: 'a text',
  object: 'an object',
  function: 'a function',
  array: 'an array',
  boolean: 'true or false',
  schema: 'a schema of TypeBox, Zod, ArkType or Valibot, or a JSON Schema',
}

function isOf(kind: keyof typeof KIND_NAMES, value: unknown): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string'
    case 'boolean':
    case 'function':
      return typeof value === kind
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'schema':
      // A schema of ArkType is a function.
      return (typeof value === 'object' && value !== null) || typeof value === 'function'
  }
}

/** Other libraries have their schema under `parameters`, where we have the table of a configuration. */
function checkPlaceOfSchema(
  { inputSchema, parameters }: Readonly<Record<string, unknown>>,
  fail: Fail,
): void {
  if (parameters === undefined) return
  const isSchema =
    typeof parameters === 'object' &&
    parameters !== null &&
    ('~standard' in parameters || ('type' in parameters && typeof parameters.type === 'string'))
  if (isSchema)
    fail(
      'bad-option',
      'parameters: expected a table of parameters by name, got a schema; a schema is given as inputSchema',
    )
  if (inputSchema !== undefined)
    fail('two-schemas', 'expected inputSchema or parameters, got both; remove parameters')
}

function checkAnnotations(annotations: unknown, fail: Fail): void {
  if (!isJsonObject(annotations)) return
  const known: Readonly<Record<string, string>> = ANNOTATIONS
  for (const [name, value] of Object.entries(annotations)) {
    const type = Object.hasOwn(known, name) ? known[name] : undefined
    if (type === undefined)
      fail(
        'bad-annotation',
        `annotations: unknown name ${JSON.stringify(name)}; expected ${Object.keys(known).join(', ')}`,
      )
    if (value !== undefined && typeof value !== type)
      fail('bad-annotation', `annotations.${name}: expected a ${type}, got ${describeValue(value)}`)
  }
}

const ACTIONS: readonly unknown[] = LIVE_ACTIONS

function checkActions({ actions, stateful }: Readonly<Record<string, unknown>>, fail: Fail): void {
  if (!Array.isArray(actions)) return
  if (stateful !== true)
    fail(
      'bad-actions',
      'actions: expected stateful: true beside it; a tool that runs once has no actions',
    )
  const isRight = actions.every((action) => ACTIONS.includes(action)) && actions.includes('spawn')
  if (!isRight)
    fail(
      'bad-actions',
      `actions: expected "spawn" and any of ${LIVE_ACTIONS.slice(1).join(', ')}, got ${JSON.stringify(actions)}`,
    )
}
