import { answeringModelSchema } from './table-schemas.ts'
import { DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS } from '@toolblocks/local-executor'
import { LIVE_ACTIONS, type JsonObject } from '@toolblocks/protocol'

const text = { type: 'string' }
const words = { type: 'array', items: text }

const command = {
  description:
    'The program to start, never through a shell by default. A string is split into words once, like a shell would; a list is taken as it is; a table may say `shell = true`, then `program` is a script for `sh -c`. Words may hold placeholders such as `{{tool.arguments.path}}`, the program may not.',
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
        args: words,
        shell: { type: 'boolean' },
      },
      required: ['program'],
      additionalProperties: false,
    },
  ],
}

const ofParameters = { additionalProperties: { $ref: '#/$defs/parameter' } }

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
      description: 'What the parameter is, for model and person.',
      examples: ['Path relative to the workspace.'],
    },
    description: {
      ...text,
      description: 'The same; `summary` stands before it.',
      examples: ['Path relative to the workspace.'],
    },
    required: {
      type: 'boolean',
      description: 'Absent: required, unless there is a `default` or the type has `null`.',
      examples: [false],
    },
    default: {
      description: 'Taken where the argument is absent; sent to a server, too, whose tool it is.',
      examples: [10],
    },
    enum: { description: 'The only values.', examples: [['debug', 'release']] },
    items: {
      $ref: '#/$defs/parameter',
      description: 'What a list holds: a parameter again.',
      examples: [{ type: 'string' }],
    },
    properties: {
      type: 'object',
      description: 'What an object holds: parameters by name.',
      examples: [{ first: { type: 'integer' } }],
      ...ofParameters,
    },
    examples: {
      type: 'array',
      description: 'Values that fit.',
      examples: [['src/main.rs']],
    },
    code: {
      type: 'boolean',
      description:
        'The value is program text on purpose: a model writes what is run. Its placeholder may stand in the program text of the command, and trust shows it.',
      default: false,
    },
    allow_dash: {
      type: 'boolean',
      description:
        'Text that begins with `-` is passed where the program of the command could take it for an option; a call is refused otherwise.',
      default: false,
    },
  },
}

const question = {
  type: 'object',
  properties: {
    target: {
      description:
        'Who answers: the person, the model of the conversation, or a model of the same provider with these settings.',
      default: 'user',
      examples: ['assistant', { name: 'small' }],
      anyOf: [{ enum: ['user', 'assistant'] }, answeringModelSchema],
    },
    answer: {
      description: "The answer itself, taken without asking if it fits the question's schema.",
      examples: [true],
    },
    fallback: {
      description:
        "Where the target cannot be asked: fail, ask the model, or take the question's default.",
      enum: ['fail', 'assistant', 'default'],
      default: 'fail',
    },
  },
  additionalProperties: false,
}

/** The schema of one `[tools.<name>]` table. */
export const toolSchema = {
  type: 'object',
  properties: {
    source: {
      ...text,
      description:
        '`local`: an executable; `local.NAME`: the same, and it gets NAME as its tool name; `mcp.SERVER.TOOL`: a tool of an MCP server.',
      examples: ['local', 'local.read', 'mcp.notes.read'],
    },
    command,
    title: { ...text, description: 'A name for people.', examples: ['Count words'] },
    summary: {
      ...text,
      description: 'What the tool does, in one line.',
      examples: ['Count the lines, words and bytes of a file.'],
    },
    description: {
      ...text,
      description: 'What a model should know beyond the summary.',
      examples: ['Words are what white space separates.'],
    },
    examples: {
      ...text,
      description: 'How the tool is used, in Markdown; given to a model on demand.',
      examples: ['Count two files: {"paths": ["a.txt", "b.txt"]}'],
    },
    run: {
      description:
        'What stands between a call and its execution: ask first, run, refuse, or leave the call out. `toolblocks call` counts as the yes.',
      enum: ['ask', 'unattended', 'deny', 'skip'],
      default: 'ask',
    },
    deduplicate: {
      type: 'boolean',
      description: 'Whether a resource that comes again may be delivered as a reference.',
    },
    describe: {
      type: 'boolean',
      description:
        'The executable is asked also where there are `parameters`; they change what it says.',
      default: false,
    },
    pin: {
      type: 'boolean',
      description:
        'Once the executable describes itself otherwise than recorded in `toolblocks.lock.json`, the tool is left out until `toolblocks tools accept` takes the change.',
      default: false,
    },
    dialect: {
      description: '`outcome` also reads the older `{"type":"success"}` documents.',
      enum: ['blocks', 'outcome'],
      default: 'blocks',
    },
    format_arguments: {
      type: 'boolean',
      description: 'The executable knows the action `format_arguments`: it shows its arguments.',
      default: false,
    },
    env: {
      ...words,
      description: 'Variables of the host that the tool may see beside the usual ones.',
      default: [],
      examples: [['GITHUB_TOKEN', 'AWS_*']],
    },
    left_behind: {
      description: 'Processes that go on when the tool has ended: keep or stop them. Linux.',
      enum: ['keep', 'stop'],
      default: 'keep',
    },
    stateful: {
      type: 'boolean',
      description:
        'The executable knows the live actions: it stays alive between them. Of an MCP server: calls may go on while nobody waits, as tasks where it has them.',
      default: false,
    },
    pty: {
      type: 'boolean',
      description: 'An interactive program, driven through a pseudo-terminal.',
      default: false,
    },
    actions: {
      type: 'array',
      items: { enum: [...LIVE_ACTIONS] },
      description: 'The live actions that a model may use; `spawn` is one of them.',
      default: [...LIVE_ACTIONS],
      examples: [['spawn', 'fetch', 'abort']],
    },
    on_turn_end: {
      description: 'What becomes of live calls at the end of a turn.',
      enum: ['abort', 'keep'],
      default: 'abort',
    },
    questions: {
      type: 'object',
      description: "Who answers the tool's questions, by question id.",
      examples: [{ confirm: { answer: true } }],
      additionalProperties: question,
    },
    timeout_secs: {
      type: 'number',
      description: 'Seconds until the tool is stopped.',
      exclusiveMinimum: 0,
      maximum: Math.floor(MAX_TIMEOUT_MS / 1000),
      default: DEFAULT_TIMEOUT_MS / 1000,
      examples: [0.5],
    },
    options: {
      type: 'object',
      description: "The tool's own settings, handed to it as `tool.options`.",
      examples: [{ style: 'short' }],
    },
    parameters: {
      type: 'object',
      description:
        'What the tool takes, by name; `{}` for nothing. Absent: the executable is asked (action `schema`).',
      examples: [{ path: { type: 'string' } }],
      ...ofParameters,
    },
  },
  required: ['source'],
  additionalProperties: false,
} satisfies JsonObject
