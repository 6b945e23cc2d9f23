import type { JsonObject } from '@toolblocks/protocol'

/** The `[model]` table. */
export const modelSchema = {
  type: 'object',
  description: 'The model that `toolblocks chat` and `toolblocks run` ask.',
  properties: {
    provider: {
      description:
        'Who answers: `openai-compatible` is any server that speaks as OpenAI does (Ollama, vLLM), `scripted` needs nothing and says little.',
      enum: ['anthropic', 'openai', 'google', 'openai-compatible', 'scripted'],
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

/** A table that names another model of the same provider, or other settings for the same one. */
export const answeringModelSchema = {
  type: 'object',
  properties: { name, instructions, max_output_tokens },
  additionalProperties: false,
} satisfies JsonObject
