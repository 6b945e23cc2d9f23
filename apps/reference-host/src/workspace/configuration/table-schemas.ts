import type { JsonObject } from '@toolblocks/protocol'

/** The providers of a model. */
export const PROVIDERS = ['anthropic', 'openai', 'google', 'openai-compatible', 'scripted'] as const

/** The `[model]` table. */
export const modelSchema = {
  type: 'object',
  description: 'The model that `toolblocks chat` and `toolblocks run` ask.',
  properties: {
    provider: {
      description:
        'Who answers: `openai-compatible` is any server that speaks as OpenAI does (Ollama, vLLM), `scripted` needs nothing and says little.',
      enum: PROVIDERS,
      examples: ['anthropic'],
    },
    name: {
      type: 'string',
      description: 'The model, as its provider calls it.',
      minLength: 1,
      examples: ['claude-sonnet-4-5'],
    },
    base_url: {
      type: 'string',
      description: 'Where the provider is reached, instead of its own address.',
      pattern: '^https?://.',
      examples: ['http://localhost:11434/v1'],
    },
    api_key_env: {
      type: 'string',
      description:
        'The variable that holds the key. Absent: `ANTHROPIC_API_KEY`, `OPENAI_API_KEY` or `GEMINI_API_KEY`; none for `openai-compatible`.',
      minLength: 1,
      examples: ['MY_KEY'],
    },
    instructions: {
      type: 'string',
      description: 'What stands above every conversation.',
      examples: ['Answer in one paragraph.'],
    },
    max_output_tokens: {
      type: 'integer',
      description: 'Tokens that one message may have. Absent: what the provider allows.',
      minimum: 1,
      examples: [4096],
    },
  },
  additionalProperties: false,
} satisfies JsonObject

const { name, instructions, max_output_tokens } = modelSchema.properties

/** The schema of a table that names another model of the same provider, or other settings for the same model. */
export const answeringModelSchema = {
  type: 'object',
  properties: { name, instructions, max_output_tokens },
  additionalProperties: false,
} satisfies JsonObject

/** The default time limit of an agent, in seconds. */
const DEFAULT_AGENT_SECONDS = 600

/** One `[agents.<name>]` table. */
export const agentSchema = {
  type: 'object',
  properties: {
    summary: {
      type: 'string',
      description: 'What the agent does: by this the model chooses it.',
      minLength: 1,
      examples: ['Reviews a change and lists its faults.'],
    },
    instructions: {
      type: 'string',
      description: 'What stands above its conversation. Absent: what `[model]` says.',
      examples: ['Be strict. Read the tests first.'],
    },
    tools: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      description:
        'Names of the tools that it may call, of those that whoever delegates has. Absent: all of them.',
      examples: [['fs_read', 'git_diff']],
    },
    model: {
      ...modelSchema.properties.name,
      description: 'Another model of the provider under `[model]`.',
      examples: ['claude-haiku-4-5'],
    },
    max_output_tokens: {
      ...modelSchema.properties.max_output_tokens,
      description: 'Tokens that one of its messages may have. Absent: what `[model]` says.',
    },
    max_tokens: {
      type: 'integer',
      description:
        'Tokens that all its requests and messages may have together, as the provider counts them, or by their length where it does not; it is stopped before the next request. Absent: no limit.',
      minimum: 1,
      examples: [200_000],
    },
    timeout_secs: {
      type: 'number',
      description:
        'Seconds after which it is stopped, without the time that it waits for a person.',
      exclusiveMinimum: 0,
      maximum: 86_400,
      default: DEFAULT_AGENT_SECONDS,
      examples: [120],
    },
    max_depth: {
      type: 'integer',
      description:
        'How deep below the conversation of the person it may be started: 1 by that conversation only, 2 also by an agent of that conversation.',
      minimum: 1,
      maximum: 5,
      default: 1,
      examples: [2],
    },
  },
  required: ['summary'],
  additionalProperties: false,
} satisfies JsonObject

/** The `[store]` table, in a folder's configuration and in the user's settings. */
export const storeSchema = {
  type: 'object',
  description: 'Where conversations are kept.',
  properties: {
    url: {
      type: 'string',
      description:
        'A SQLite file, where a relative path starts at the folder of the configuration, or a PostgreSQL database, `postgres://…`. Absent: that of the user’s settings; where they name none either, calls are not recorded, and chats and imports are kept in the user’s folder for data.',
      pattern: '^(sqlite:.|postgres(ql)?://.)',
      examples: ['sqlite:.toolblocks/conversations.db', 'postgres://localhost/conversations'],
    },
  },
  required: ['url'],
  additionalProperties: false,
} satisfies JsonObject
