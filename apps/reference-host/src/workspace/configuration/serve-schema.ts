import type { JsonObject } from '@toolblocks/protocol'
import type { XStatic } from 'typebox/schema'

const groups = {
  type: 'array',
  items: { type: 'string', minLength: 1 },
  description: 'The groups that the client belongs to.',
  examples: [['readers']],
} as const satisfies JsonObject

/** One `[serve.clients.<name>]` table. */
const clientSchema = {
  type: 'object',
  properties: {
    token_env: {
      type: 'string',
      description:
        'The variable with a token of the client. Absent: its tokens are those of `toolblocks serve tokens add`, which are also valid beside this one.',
      minLength: 1,
      examples: ['ANN_TOKEN'],
    },
    groups,
  },
  additionalProperties: false,
} as const satisfies JsonObject

/** The `[serve]` table. */
export const serveSchema = {
  type: 'object',
  description: 'How `toolblocks serve` serves the tools, and to whom.',
  properties: {
    metrics: {
      type: 'boolean',
      description:
        'Whether `serve --http` offers its metrics for Prometheus at `/metrics`, behind the same token.',
      default: false,
    },
    clients: {
      type: 'object',
      description:
        'The clients, by name. Each has tokens of its own, and its own sessions, tasks, results and records. Without this table, all clients have one token.',
      additionalProperties: clientSchema,
    },
  },
  additionalProperties: false,
} as const satisfies JsonObject

/** How tools are served, and to whom. */
export type ServeConfiguration = XStatic<typeof serveSchema>
