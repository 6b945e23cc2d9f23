import {
  describeValue,
  descriptionToDefinition,
  type LiveAction,
  type ParameterDefinition,
  type ToolDescription,
} from '@toolblocks/protocol'
import type {
  DefinedTool,
  FormatRun,
  Formatted,
  LiveRun,
  LiveSteps,
  ToolRun,
  Work,
} from './run/defined-tool.ts'
import type { Returned } from './results/returned.ts'
import { argumentsSchema, describeArguments, sayRequired } from './schemas/describe-arguments.ts'
import { readSchema, type Validate } from './schemas/read-schema.ts'
import type { InputOf, OutputOf, Schema, StructuredOf } from './schemas/schema.ts'
import { ToolDefinitionError } from './schemas/tool-definition-error.ts'

/** The work of a tool, and how it may stay alive. */
type WorkOptions<Arguments, Structured> =
  | {
      /** The tool stays alive between the actions of a model. Default: false. */
      readonly stateful?: false
      /** Does the work of one call. What it throws is an error result with the trace of its causes. */
      run(call: ToolRun<Arguments>): Returned<Structured> | Promise<Returned<Structured>>
    }
  | {
      /** `run` is a generator, which goes on until it returns: it shows by `yield` and gets input by `yield waiting(…)`. */
      readonly stateful: true
      /** Which actions a model may use; `spawn` is one. Default: all four. */
      readonly actions?: readonly LiveAction[]
      /** Does the work from spawn to end. An abort makes the pending `yield` return, so that `finally` runs. */
      run(call: LiveRun<Arguments>): LiveSteps<Structured>
    }

/** What a tool is made of. */
export type ToolOptions<
  Arguments extends Schema | undefined,
  OutputSchema extends Schema | undefined,
> = {
  /** What a model calls it by: letters, digits, `_` and `-`, at most 128. Unique among the tools of a program. */
  readonly name: string
  /** For people, instead of the name. */
  readonly title?: string
  /** One or two sentences, sent to the model with every request. */
  readonly summary?: string
  /** The whole story, in Markdown; given on demand where there is a `summary`. */
  readonly description?: string
  /** How it is used, in Markdown; given on demand. */
  readonly examples?: string
  /**
   * The schema of the arguments, of an object: by TypeBox, Zod, ArkType, Valibot, or by hand. It types `call.arguments`. The `description` of a property is
   * sent with every request; with a `summary` beside it, that is sent instead, and the description is given on demand. Arguments that it does not
   * name are refused unless it says otherwise. Default: the tool takes none.
   */
  readonly arguments?: Arguments
  /** The arguments in the shape of a configuration, without types: read them with `required` and `optional`. Instead of `arguments`. */
  readonly parameters?: Readonly<Record<string, ParameterDefinition>>
  /** The schema of the structured content, in the same ways: what `value(…)` must be given. It is not checked when the tool runs. */
  readonly outputSchema?: OutputSchema
  /** MCP's hints for hosts, such as `readOnlyHint`; never permissions. */
  readonly annotations?: Readonly<Record<string, unknown>>
  /** Shows a call to a person before it may run, and does nothing else. What it throws keeps the call from running. */
  formatArguments?(call: FormatRun<OutputOf<Arguments>>): Formatted | Promise<Formatted>
} & WorkOptions<
  OutputOf<Arguments>,
  OutputSchema extends Schema ? StructuredOf<OutputSchema> : unknown
>

/**
 * Defines a tool once: its schema, the types of its arguments, its description and its work. Throws a `ToolDefinitionError` for a bad name, and for a schema that
 * cannot describe arguments.
 */
export function defineTool<
  const Arguments extends Schema | undefined = undefined,
  const OutputSchema extends Schema | undefined = undefined,
>(options: ToolOptions<Arguments, OutputSchema>): DefinedTool<InputOf<Arguments>>
export function defineTool(options: AnyOptions): DefinedTool {
  const { formatArguments } = options
  checkName(options.name)
  const { described, validate } = readArguments(options)
  const description = { ...getShared(options), ...described, ...getLiveness(options) }
  return {
    name: options.name,
    definition: descriptionToDefinition(description),
    description,
    ...(validate && { validate }),
    work: getWork(options),
    ...(formatArguments && { formatArguments: async (run) => await formatArguments(run) }),
  }
}

/** What `defineTool` is given, once types have done their work. */
type AnyOptions = ToolOptions<Schema | undefined, Schema | undefined>

/** What every provider takes, or can be given with few changes. */
const NAME = /^[A-Za-z0-9_-]{1,128}$/

function checkName(name: unknown): void {
  if (typeof name === 'string' && NAME.test(name)) return
  throw new ToolDefinitionError(
    'bad-name',
    `defineTool: name: expected letters, digits, "_" and "-", at most 128 of them, got ${describeValue(name)}`,
  )
}

function readArguments({ name, arguments: given, parameters }: AnyOptions): {
  described: Pick<ToolDescription, 'parameters' | 'inputSchema'>
  validate?: Validate
} {
  if (given === undefined) return { described: { parameters: sayRequired(parameters ?? {}) } }
  const quoted = JSON.stringify(name)
  if (parameters !== undefined)
    throw new ToolDefinitionError(
      'two-schemas',
      `the tool ${quoted} has both arguments and parameters; give one`,
    )
  const { schema, validate } = readSchema(given, `the arguments of ${quoted}`)
  const described = describeArguments(argumentsSchema(schema, name))
  return { described, ...(validate && { validate }) }
}

function getShared(options: AnyOptions): ToolDescription {
  const { name, title, summary, description, examples, annotations, outputSchema } = options
  return {
    name,
    ...(title !== undefined && { title }),
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples }),
    ...(outputSchema && {
      outputSchema: readSchema(outputSchema, `the output of ${JSON.stringify(name)}`).schema,
    }),
    ...(annotations && { annotations }),
  }
}

function getLiveness(options: AnyOptions): Pick<ToolDescription, 'stateful' | 'actions'> {
  if (options.stateful !== true) return {}
  return { stateful: true, ...(options.actions && { actions: options.actions }) }
}

function getWork(options: AnyOptions): Work {
  return options.stateful === true
    ? { stateful: true, run: (run) => options.run(run) }
    : { stateful: false, run: (run) => options.run(run) }
}
