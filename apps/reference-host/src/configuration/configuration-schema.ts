import type { JsonSchema } from '@toolblocks/protocol'

const text = { type: 'string' }
const words = { type: 'array', items: text }

const command = {
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

const question = {
  type: 'object',
  properties: {
    target: { anyOf: [{ enum: ['user', 'assistant'] }, { type: 'object' }] },
    answer: true,
    fallback: { enum: ['fail', 'assistant', 'default'] },
  },
  additionalProperties: false,
}

const tool = {
  type: 'object',
  properties: {
    source: text,
    command,
    title: text,
    summary: text,
    description: text,
    run: { enum: ['ask', 'unattended', 'deny', 'skip'] },
    deduplicate: { type: 'boolean' },
    dialect: { enum: ['blocks', 'outcome'] },
    format_arguments: { type: 'boolean' },
    env: words,
    left_behind: { enum: ['keep', 'stop'] },
    stateful: { type: 'boolean' },
    pty: { type: 'boolean' },
    on_turn_end: { enum: ['abort', 'keep'] },
    questions: { type: 'object', additionalProperties: question },
    timeout_secs: { type: 'number', exclusiveMinimum: 0 },
    options: { type: 'object' },
    parameters: { type: 'object', additionalProperties: { type: 'object' } },
  },
  required: ['source', 'command', 'parameters'],
  additionalProperties: false,
}

/** The shape of `toolblocks.toml`. */
export const configurationSchema: JsonSchema = {
  type: 'object',
  properties: {
    tools: { type: 'object', additionalProperties: tool },
    format: {
      type: 'object',
      properties: { structured: { enum: ['auto', 'content', 'structured', 'both'] } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
}

/** The keys a `[tools.<name>]` table may have. */
export const toolKeys: readonly string[] = Object.keys(tool.properties)
