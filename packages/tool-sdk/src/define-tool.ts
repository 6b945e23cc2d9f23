import {
  descriptionToDefinition,
  type ParameterDefinition,
  type ToolDescription,
} from '@toolblocks/protocol'
import { type LiveAction } from '@toolblocks/protocol/internal'
import { checkExamples, formatExamples } from './definition/check-examples.ts'
import { checkOptions, type ToolAnnotations } from './definition/check-options.ts'
import type { ToolContent } from './results/blocks.ts'
import type { StructuredReturn, ToolReturn } from './results/output.ts'
import {
  type DefinedTool,
  type LiveSteps,
  toDefinedTool,
  type ToolParts,
  type Work,
} from './run/defined-tool.ts'
import type { FormatContext, LiveContext, RunContext } from './run/tool-context.ts'
import { argumentsSchema, describeArguments, markRequired } from './schemas/describe-arguments.ts'
import { readSchema } from './schemas/read-schema.ts'
import type {
  InferInput,
  InferOutput,
  InferStructured,
  ToolSchema,
  Validate,
} from './schemas/schema.ts'

/** The work of a tool, and whether it stays alive. */
type WorkOptions<Arguments, Return> =
  | {
      /** Whether the tool stays alive between the actions of a model; `run` is a generator then. Default: false. */
      readonly stateful?: false
      readonly actions?: never
      /**
       * Does the work of one call. It gets the arguments, checked and with their defaults, and the context of the call. An error that it throws is an
       * error result with the messages of the error and its causes.
       */
      run(args: Arguments, context: RunContext): Return | Promise<Return>
    }
  | {
      /** Whether the tool stays alive between the actions of a model; `run` is a generator then. Default: false. */
      readonly stateful: true
      /** The actions that a model may use; `spawn` must be one of them. Default: `['spawn', 'fetch', 'apply', 'abort']`. */
      readonly actions?: readonly LiveAction[]
      /**
       * Does the work from spawn to end, as an asynchronous generator. It shows what it yields, and gets input from `yield waiting(…)`. An abort makes the pending
       * `yield` return, so that `finally` runs. An error that it throws ends the tool with an error result.
       */
      run(args: Arguments, context: LiveContext): LiveSteps<Return>
    }

/** What `run` returns: without an `outputSchema` content or a result, with one the data. */
type ReturnFor<Output extends ToolSchema | undefined> = Output extends ToolSchema
  ? StructuredReturn<InferStructured<Output>>
  : ToolReturn

/** The options of `defineTool`. */
export type ToolOptions<
  Input extends ToolSchema | undefined = undefined,
  Output extends ToolSchema | undefined = undefined,
> = {
  /** The name under which a model calls the tool: 1 to 128 letters, digits, `_` and `-`. It is unique among the tools of a program. */
  readonly name: string
  /** The name that people see. Default: `name`. */
  readonly title?: string
  /** What the tool does, in one or two sentences. A model gets it with every request. Default: `description`. */
  readonly summary?: string
  /** Everything about the tool, in Markdown. A model gets it on demand where there is a `summary`, else with every request. */
  readonly description?: string
  /**
   * Example arguments. A model gets them on demand. Each is checked against `inputSchema`: one that does not fit is a `ToolDefinitionError`, at the definition, or
   * when the tool is described or tested where the check needs more than a moment.
   */
  readonly examples?: readonly InferInput<Input>[]
  /**
   * The schema of the arguments, which is one of an object: a schema of TypeBox, Zod, ArkType, Valibot (behind `toStandardJsonSchema`), or a JSON Schema. It types
   * `args` of `run`. The `description` of a property is sent with every request; with a `summary` beside it, the summary is sent and the description is
   * given on demand. Arguments that it does not name are refused, unless it allows additional properties. Default: the tool takes no arguments.
   */
  readonly inputSchema?: Input
  /** The arguments as a table of a configuration, without types: read them with `required` and `optional`. It stands instead of `inputSchema`. */
  readonly parameters?: Readonly<Record<string, ParameterDefinition>>
  /**
   * The schema of the structured data, of the same kinds as `inputSchema`. With it `run` must return such data, or `failure(…)`; it describes `data` where
   * a semantic value (`table(…)`, `structured({ kind, data })`) is returned. Data that does not fit is an error result. Default: `run` returns
   * what it likes.
   */
  readonly outputSchema?: Output
  /** MCP's hints for hosts, such as `readOnlyHint`. They give no permission. */
  readonly annotations?: ToolAnnotations
  /**
   * Shows a call to a person before it may run, and does nothing else. It gets the checked arguments. An error that it throws keeps the call from running. Default: the
   * host shows the arguments.
   */
  formatArguments?(
    args: InferOutput<Input>,
    context: FormatContext,
  ): ToolContent | Promise<ToolContent>
} & (Output extends ToolSchema
  ? WorkOptions<InferOutput<Input>, ReturnFor<Output>>
  : WorkOptions<InferOutput<Input>, ReturnFor<undefined>> | EndlessOptions<InferOutput<Input>>)

/** A generator may end without a result: `actions` and `run` are those of a stateful tool. */
interface EndlessOptions<Arguments> {
  readonly stateful: true
  readonly actions?: readonly LiveAction[]
  run(args: Arguments, context: LiveContext): LiveSteps<ToolReturn | void>
}

/**
 * Defines a tool: its schema, the types of its arguments, its description and its work. Throws a `ToolDefinitionError` for a mistake in the definition; its `code`
 * names the mistake, and its message the right way.
 */
export function defineTool<
  const Input extends ToolSchema | undefined = undefined,
  const Output extends ToolSchema | undefined = undefined,
>(options: ToolOptions<Input, Output>): DefinedTool<InferInput<Input>>
export function defineTool(uncheckedOptions: object): DefinedTool {
  checkOptions(uncheckedOptions)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just checked; what the schemas type is for their author
  const options = uncheckedOptions as AnyOptions
  const { name, examples = [], formatArguments } = options
  const { described, validate } = readArguments(options)
  const output = readOutput(options)
  const description = {
    ...describeShared(options),
    ...(output && { outputSchema: output.schema }),
    ...described,
    ...describeLiveness(options),
  }
  const definition = descriptionToDefinition(description)
  const { inputSchema } = definition
  return toDefinedTool({
    name,
    definition,
    description,
    work: readWork(options),
    uncheckedExamples: checkExamples(name, examples, { inputSchema, validate }),
    ...(validate && { validate }),
    ...(output && { output }),
    ...(formatArguments && {
      formatArguments: (args, context) => formatArguments(args, context),
    }),
  })
}

/** The options without the types that only their author needs. */
interface AnyOptions extends Pick<
  ToolOptions,
  'name' | 'title' | 'summary' | 'description' | 'examples' | 'parameters' | 'annotations'
> {
  readonly inputSchema?: ToolSchema | undefined
  readonly outputSchema?: ToolSchema | undefined
  readonly stateful?: boolean
  readonly actions?: readonly LiveAction[]
  formatArguments?(args: never, context: FormatContext): unknown
  run(args: never, context: RunContext & LiveContext): unknown
}

function readArguments({ name, inputSchema, parameters }: AnyOptions): {
  described: Pick<ToolDescription, 'parameters' | 'inputSchema'>
  validate?: Validate
} {
  if (inputSchema === undefined)
    return { described: { parameters: markRequired(parameters ?? {}) } }
  const { schema, validate } = readSchema(inputSchema, `the inputSchema of ${JSON.stringify(name)}`)
  const described = describeArguments(argumentsSchema(schema, name))
  return { described, ...(validate && { validate }) }
}

function readOutput({ name, outputSchema }: AnyOptions): ToolParts['output'] {
  return outputSchema === undefined
    ? undefined
    : readSchema(outputSchema, `the outputSchema of ${JSON.stringify(name)}`)
}

function describeShared(options: AnyOptions): ToolDescription {
  const { name, title, summary, description, examples = [], annotations } = options
  return {
    name,
    ...(title !== undefined && { title }),
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    ...(examples.length > 0 && { examples: formatExamples(examples) }),
    ...(annotations && { annotations: { ...annotations } }),
  }
}

function describeLiveness(options: AnyOptions): Pick<ToolDescription, 'stateful' | 'actions'> {
  if (options.stateful !== true) return {}
  return { stateful: true, ...(options.actions && { actions: options.actions }) }
}

function readWork(options: AnyOptions): Work {
  return {
    stateful: options.stateful === true,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a stateful tool is not given what it does not know
    run: (args, context) => options.run(args, context as RunContext),
  }
}
