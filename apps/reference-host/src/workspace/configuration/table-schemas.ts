import type { JsonObject } from '@toolblocks/protocol'
import type { XStatic } from 'typebox/schema'

/** The `[model]` table. */
export const modelSchema = {
  type: 'object',
  description: 'The model for `toolblocks chat` and `toolblocks run`.',
  properties: {
    provider: {
      description:
        'The provider of the model. `openai-compatible` is any server with an OpenAI-compatible API (Ollama, vLLM). `scripted` needs no key and always gives the same answer.',
      enum: ['anthropic', 'openai', 'google', 'openai-compatible', 'scripted'],
      examples: ['anthropic'],
    },
    name: {
      type: 'string',
      description: "The provider's name of the model.",
      minLength: 1,
      examples: ['claude-sonnet-4-5'],
    },
    base_url: {
      type: 'string',
      description: 'The address of the API. Absent: the default address of the provider.',
      pattern: '^https?://.',
      examples: ['http://localhost:11434/v1'],
    },
    api_key_env: {
      type: 'string',
      description:
        'The variable with the key. Absent: `ANTHROPIC_API_KEY`, `OPENAI_API_KEY` or `GEMINI_API_KEY`; none for `openai-compatible`.',
      minLength: 1,
      examples: ['MY_KEY'],
    },
    instructions: {
      type: 'string',
      description: 'Instructions at the start of every conversation.',
      examples: ['Answer in one paragraph.'],
    },
    max_output_tokens: {
      type: 'integer',
      description: 'Maximum number of tokens of one message. Absent: the limit of the provider.',
      minimum: 1,
      examples: [4096],
    },
  },
  additionalProperties: false,
} as const satisfies JsonObject

export type ModelConfiguration = XStatic<typeof modelSchema>

const { name, instructions, max_output_tokens } = modelSchema.properties

/** The schema of a table that names another model of the same provider, or other settings for the same model. */
export const answeringModelSchema = {
  type: 'object',
  properties: { name, instructions, max_output_tokens },
  additionalProperties: false,
} as const satisfies JsonObject

/** Another model of the provider of `[model]`, or the same model with other settings. */
export type AnsweringModel = XStatic<typeof answeringModelSchema>

/** The default time limit of an agent, in seconds. */
const DEFAULT_AGENT_SECONDS = 600

/** One `[agents.<name>]` table. */
export const agentSchema = {
  type: 'object',
  properties: {
    summary: {
      type: 'string',
      description: 'What the agent does. The model chooses an agent by this text.',
      minLength: 1,
      examples: ['Reviews a change and lists its faults.'],
    },
    instructions: {
      type: 'string',
      description: 'Instructions at the start of its conversation. Absent: those of `[model]`.',
      examples: ['Be strict. Read the tests first.'],
    },
    tools: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      description:
        'Names of the tools that it may call, among those of the conversation that starts it. Absent: all of them.',
      examples: [['fs_read', 'git_diff']],
    },
    model: {
      ...modelSchema.properties.name,
      description: 'Another model of the provider under `[model]`.',
      examples: ['claude-haiku-4-5'],
    },
    max_output_tokens: {
      ...modelSchema.properties.max_output_tokens,
      description:
        'Maximum number of tokens of one of its messages. Absent: the value of `[model]`.',
    },
    max_tokens: {
      type: 'integer',
      description:
        'Maximum number of tokens of all its requests and messages. Tokens are estimated if the provider does not count them. At the limit, the agent stops before the next request. Absent: no limit.',
      minimum: 1,
      examples: [200_000],
    },
    timeout_secs: {
      type: 'number',
      description: 'Time limit in seconds. Time spent waiting for a person does not count.',
      exclusiveMinimum: 0,
      maximum: 86_400,
      default: DEFAULT_AGENT_SECONDS,
      examples: [120],
    },
    max_depth: {
      type: 'integer',
      description:
        'Maximum depth at which it may be started. 1: only by the conversation of the person. 2: also by an agent of that conversation.',
      minimum: 1,
      maximum: 5,
      default: 1,
      examples: [2],
    },
  },
  required: ['summary'],
  additionalProperties: false,
} as const satisfies JsonObject

/** The settings of an agent, to which a model can hand work. */
export type AgentConfiguration = XStatic<typeof agentSchema>

/** The longest time after which a question expires, in seconds: ten years. */
const MAX_EXPIRE_SECONDS = 315_360_000

/** `expire_secs` of the `[questions]` table. */
const expireSchema = {
  type: 'number',
  description:
    'Seconds after which a question to a person expires. The call then ends without an answer, which is not a refusal. Absent: questions do not expire.',
  exclusiveMinimum: 0,
  maximum: MAX_EXPIRE_SECONDS,
  examples: [86_400],
} as const satisfies JsonObject

/** `questions_expire_secs` of a tool. */
export const toolExpireSchema = {
  ...expireSchema,
  description:
    'Seconds after which its questions and approvals expire. Absent: `expire_secs` of `[questions]`.',
  examples: [3600],
} as const satisfies JsonObject

/** The `[questions]` table. */
export const questionsSchema = {
  type: 'object',
  description: 'Questions and approvals that wait for a person.',
  properties: {
    expire_secs: expireSchema,
    notify: {
      anyOf: [{ const: 'desktop' }, { type: 'array', items: { type: 'string' }, minItems: 1 }],
      description:
        'What tells you about a question when it opens. `"desktop"`: a notification of the desktop. Or a program and its arguments, started without a shell; it gets one line of JSON about the question on standard input. It has 30 seconds, and its failure is a warning.',
      examples: ['desktop', ['sh', 'tools/notify.sh']],
    },
  },
  additionalProperties: false,
} as const satisfies JsonObject

/** Questions that wait for a person. `notify` is a notification of the desktop, or a program and its arguments. */
export interface QuestionsConfiguration extends Omit<XStatic<typeof questionsSchema>, 'notify'> {
  notify?: 'desktop' | readonly [string, ...string[]]
}

/** One `[prompts.<name>]` table. */
export const promptSchema = {
  type: 'object',
  properties: {
    file: {
      type: 'string',
      minLength: 1,
      description:
        'The file with the text, at most 256 KiB of UTF-8. `{{name}}` is replaced by the argument with this name; an argument that is not given is replaced by nothing.',
      examples: ['prompts/review.md'],
    },
    title: {
      type: 'string',
      description: 'The name that people see.',
      examples: ['Review a change'],
    },
    description: {
      type: 'string',
      description: 'What the prompt is for.',
      examples: ['Asks for a review with a list of faults.'],
    },
    arguments: {
      type: 'object',
      description: 'The arguments by name. Their values are texts.',
      additionalProperties: {
        type: 'object',
        properties: {
          title: { type: 'string', description: 'The name that people see.' },
          description: { type: 'string', description: 'What the argument means.' },
          required: { type: 'boolean', description: 'Whether it must be given.', default: false },
        },
        additionalProperties: false,
      },
      examples: [{ topic: { description: 'What to look at.', required: true } }],
    },
  },
  required: ['file'],
  additionalProperties: false,
} as const satisfies JsonObject

/** A prompt that `toolblocks serve` offers. */
export type PromptConfiguration = XStatic<typeof promptSchema>

/** The `[resources]` table. */
export const resourcesSchema = {
  type: 'object',
  description: 'Files that MCP clients of `toolblocks serve` can list and read.',
  properties: {
    folder: {
      type: 'string',
      minLength: 1,
      description:
        'The folder with the files. A relative path starts at the folder of the configuration. Hidden files, `node_modules` and links are not offered.',
      examples: ['docs'],
    },
  },
  required: ['folder'],
  additionalProperties: false,
} as const satisfies JsonObject

/** The `[approvals]` table, in a folder's configuration and in the user's settings. */
export const approvalsSchema = {
  type: 'object',
  description: 'Which calls run without asking you, are asked about or never run.',
  properties: {
    rules: {
      type: 'array',
      items: { type: 'string' },
      description:
        'Rules, each with `allow`, `ask` or `deny` before a tool and its conditions; the first that fits a call decides. `*` at the end of a name stands for any characters. A tool with `run = "deny"` or `"skip"` never runs.',
      default: [],
      examples: [['deny git(command^=git push)', 'allow fs_read(path in docs)', 'ask github__*']],
    },
  },
  additionalProperties: false,
} as const satisfies JsonObject

/** The `[store]` table, in a folder's configuration and in the user's settings. */
export const storeSchema = {
  type: 'object',
  description: 'The store of conversations.',
  properties: {
    url: {
      type: 'string',
      description:
        'An SQLite file, where a relative path starts at the folder of the configuration, or a PostgreSQL database, `postgres://…`. Absent: the store of the user’s settings. Without one there, calls are not recorded, and chats and imports are stored in the user’s data folder.',
      pattern: '^(sqlite:.|postgres(ql)?://.)',
      examples: ['sqlite:.toolblocks/conversations.db', 'postgres://localhost/conversations'],
    },
  },
  required: ['url'],
  additionalProperties: false,
} as const satisfies JsonObject
