import type { JsonObject } from '@toolblocks/protocol'
import { modelSchema } from './model-schema.ts'

/** Seconds that an agent may take where its table does not say it. */
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
