import { answeringModelSchema, toolExpireSchema } from './table-schemas.ts'
import { DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS } from '@toolblocks/local-executor'
import type { JsonObject, JsonValue, ParameterDefinition } from '@toolblocks/protocol'
import { LIVE_ACTIONS } from '@toolblocks/protocol/internal'
import type { XStatic } from 'typebox/schema'

const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const

const command = {
  description:
    'The program to start, by default without a shell. A string is split into words once, like in a shell. A list is used unchanged. In a table with `shell = true`, `program` is a script for `sh -c`. The words, but not the program, may contain placeholders such as `{{tool.arguments.path}}`.',
  examples: [
    ['sh', 'tools/count-words.sh', '{{tool.arguments.path}}'],
    'python3 tools/read.py',
    { program: 'wc -- "$1"', args: ['{{tool.arguments.path}}'], shell: true },
  ],
  anyOf: [
    { type: 'string', minLength: 1 },
    { type: 'array', items: text, minItems: 1 },
    {
      type: 'object',
      properties: {
        program: { type: 'string', minLength: 1 },
        args: texts,
        shell: { type: 'boolean' },
      },
      required: ['program'],
      additionalProperties: false,
    },
  ],
} as const

const ofParameters = { additionalProperties: { $ref: '#/$defs/parameter' } } as const

/** The schema of one parameter, at any depth. Other keywords of JSON Schema are checked separately. */
export const parameterSchema = {
  type: 'object',
  properties: {
    type: {
      description: 'A type of JSON Schema, or a list of them.',
      examples: ['string', ['string', 'null']],
    },
    summary: {
      ...text,
      description: 'What the parameter means, for model and person.',
      examples: ['Path relative to the workspace.'],
    },
    description: {
      ...text,
      description: 'A longer text, which follows `summary`.',
      examples: ['Path relative to the workspace.'],
    },
    required: {
      type: 'boolean',
      description:
        'Whether the argument is required. Absent: required, unless there is a `default` or the type allows `null`.',
      examples: [false],
    },
    default: {
      description: 'The value if the argument is absent. A tool of a server gets it, too.',
      examples: [10],
    },
    enum: { description: 'The allowed values.', examples: [['debug', 'release']] },
    items: {
      $ref: '#/$defs/parameter',
      description: 'The parameter of each item of a list.',
      examples: [{ type: 'string' }],
    },
    properties: {
      type: 'object',
      description: 'The parameters of the properties of an object, by name.',
      examples: [{ first: { type: 'integer' } }],
      ...ofParameters,
    },
    examples: {
      type: 'array',
      description: 'Example values.',
      examples: [['src/main.rs']],
    },
    code: {
      type: 'boolean',
      description:
        'Whether the value is program text that a model writes and the tool runs. Then its placeholder may be in the program text of the command. `toolblocks trust` shows such arguments.',
      default: false,
    },
    allow_dash: {
      type: 'boolean',
      description:
        'Whether text that begins with `-` is allowed where the program could read it as an option. Otherwise such a call is refused.',
      default: false,
    },
  },
}

const question = {
  type: 'object',
  properties: {
    target: {
      description:
        'Who or what answers: the person, the model of the conversation, or a model of the same provider with these settings.',
      default: 'user',
      examples: ['assistant', { name: 'small' }],
      anyOf: [{ enum: ['user', 'assistant'] }, answeringModelSchema],
    },
    answer: {
      description: "The answer. It is used without asking if it fits the question's schema.",
      examples: [true],
    },
    fallback: {
      description:
        "What happens if the target cannot be asked: fail, ask the model, or use the question's default.",
      enum: ['fail', 'assistant', 'default'],
      default: 'fail',
    },
  },
  additionalProperties: false,
} as const

/** The schema of one `[tools.<name>]` table. */
export const toolSchema = {
  type: 'object',
  properties: {
    source: {
      ...text,
      description:
        '`local`: an executable. `local.NAME`: an executable that gets NAME as its tool name. `mcp.SERVER.TOOL`: a tool of an MCP server.',
      examples: ['local', 'local.read', 'mcp.notes.read'],
    },
    command,
    title: { ...text, description: 'The name that people see.', examples: ['Count words'] },
    summary: {
      ...text,
      description: 'What the tool does, in one line.',
      examples: ['Count the lines, words and bytes of a file.'],
    },
    description: {
      ...text,
      description: 'Further information for the model.',
      examples: ['Words are separated by white space.'],
    },
    examples: {
      ...text,
      description: 'Examples of use, in Markdown. A model gets them on demand.',
      examples: ['Count two files: {"paths": ["a.txt", "b.txt"]}'],
    },
    run: {
      description:
        'What happens before a call runs: `ask` asks a person, `unattended` runs the call, `deny` refuses it, `skip` ignores it. With `toolblocks call` no question is needed.',
      enum: ['ask', 'unattended', 'deny', 'skip'],
      default: 'ask',
    },
    deduplicate: {
      type: 'boolean',
      description: 'Whether an unchanged resource may be sent as a reference.',
    },
    defer: {
      type: 'boolean',
      description:
        'Whether the model gets its definition only after it has found the tool with `search_tools`. Absent: as the server says, or by the number of tools (`[tool_search]`).',
    },
    describe: {
      type: 'boolean',
      description:
        'Whether the executable is asked for its description although there are `parameters`. Then they override its description. Absent: it is asked if a parameter has no `type`.',
    },
    replace: {
      type: 'boolean',
      description:
        'Whether the table describes all of the tool, so that the executable is not asked, even if a parameter has no `type`.',
      default: false,
    },
    pin: {
      type: 'boolean',
      description:
        'Whether the tool is disabled when its description differs from the one in `toolblocks.lock.json`, until `toolblocks tools accept` accepts the change.',
      default: false,
    },
    dialect: {
      description:
        'The output format. `outcome` also accepts the older `{"type":"success"}` documents.',
      enum: ['blocks', 'outcome'],
      default: 'blocks',
    },
    format_arguments: {
      type: 'boolean',
      description:
        'Whether the executable supports the action `format_arguments`, which shows its arguments.',
      default: false,
    },
    env: {
      ...texts,
      description: 'Variables of the host that the tool gets, in addition to the usual ones.',
      default: [],
      examples: [['GITHUB_TOKEN', 'AWS_*']],
    },
    leftover_processes: {
      description:
        'Whether processes that still run after the end of the tool are kept or stopped. Linux only.',
      enum: ['keep', 'stop'],
      default: 'keep',
    },
    stateful: {
      type: 'boolean',
      description:
        'Whether the executable supports the live actions and stays alive between them. For a tool of an MCP server: calls may continue in the background, as tasks if the server supports them.',
      default: false,
    },
    pty: {
      type: 'boolean',
      description: 'Whether the program is interactive. It then runs in a pseudo-terminal.',
      default: false,
    },
    actions: {
      type: 'array',
      items: { enum: [...LIVE_ACTIONS] },
      description: 'The live actions that a model may use. `spawn` must be one of them.',
      default: [...LIVE_ACTIONS],
      examples: [['spawn', 'fetch', 'abort']],
    },
    on_turn_end: {
      description: 'What happens to live calls at the end of a turn.',
      enum: ['abort', 'keep'],
      default: 'abort',
    },
    questions: {
      type: 'object',
      description: "The sources of the answers to the tool's questions, by question id.",
      examples: [{ confirm: { answer: true } }],
      additionalProperties: question,
    },
    questions_expire_secs: toolExpireSchema,
    timeout_secs: {
      type: 'number',
      description: 'Time limit in seconds. The tool is stopped after it.',
      exclusiveMinimum: 0,
      maximum: Math.floor(MAX_TIMEOUT_MS / 1000),
      default: DEFAULT_TIMEOUT_MS / 1000,
      examples: [0.5],
    },
    options: {
      type: 'object',
      description: "The tool's own settings. The tool gets them as `tool.options`.",
      examples: [{ style: 'short' }],
    },
    select: {
      ...texts,
      minItems: 1,
      description:
        "The parts of a result's data that a model gets, by path; the step `*` is every item. The data is `structuredContent`, or the JSON of the only text. The record has the whole result, and `read_tool_result` reads the rest.",
      examples: [['total', 'items/*/name']],
    },
    fixed: {
      type: 'object',
      description:
        'Arguments that every call gets. A model does not see them, and cannot give other values.',
      examples: [{ owner: 'acme' }],
    },
    hidden: {
      ...texts,
      description: 'Optional arguments that a model does not see, and that no call has.',
      examples: [['per_page']],
    },
    parameters: {
      type: 'object',
      description:
        'The parameters by name; `{}` for none. Absent: the executable is asked (action `schema`).',
      examples: [{ path: { type: 'string' } }],
      ...ofParameters,
    },
  },
  required: ['source'],
  additionalProperties: false,
} as const satisfies JsonObject

type CheckedTool = XStatic<typeof toolSchema>

type QuestionTable = NonNullable<CheckedTool['questions']>[string]

/** One `[tools.<name>]` table that the schema accepts. The schema describes each key. */
export interface ToolTable extends Omit<
  CheckedTool,
  'questions' | 'options' | 'fixed' | 'parameters'
> {
  questions?: Readonly<Record<string, Omit<QuestionTable, 'answer'> & { answer?: JsonValue }>>
  options?: Readonly<Record<string, JsonValue>>
  fixed?: Readonly<Record<string, JsonValue>>
  parameters?: Readonly<Record<string, ParameterDefinition>>
}

/** One `[tools.<name>]` table of an executable. */
export interface ToolConfiguration extends ToolTable {
  command: NonNullable<ToolTable['command']>
}

/** The keys that a tool of a server may have. The server itself or its own table defines everything else. */
export const MCP_KEYS = [
  'source',
  'title',
  'summary',
  'description',
  'examples',
  'run',
  'deduplicate',
  'defer',
  'pin',
  'questions',
  'questions_expire_secs',
  'parameters',
  'stateful',
  'on_turn_end',
  'timeout_secs',
  'select',
  'fixed',
  'hidden',
] as const

/** One `[tools.<name>]` table of a tool of an MCP server. */
export interface McpToolConfiguration extends Pick<ToolTable, (typeof MCP_KEYS)[number]> {
  /** The server's name in the configuration. */
  server: string
  /** The server's name for the tool. */
  tool: string
}
