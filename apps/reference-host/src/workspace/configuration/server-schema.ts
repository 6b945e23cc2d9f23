import { MAX_TIMEOUT_MS } from '@toolblocks/local-executor'
import type { JsonObject } from '@toolblocks/protocol'

const text = { type: 'string' }
const count = { type: 'integer', minimum: 1 }
const seconds = {
  type: 'number',
  exclusiveMinimum: 0,
  maximum: Math.floor(MAX_TIMEOUT_MS / 1000),
}

/** The schema of one `[mcp.servers.<name>]` table. `command` or `url` is checked when the table is read. */
export const serverSchema = {
  type: 'object',
  properties: {
    command: {
      ...text,
      description: 'The program of a server that uses standard input and output.',
      examples: ['npx'],
    },
    args: {
      type: 'array',
      items: text,
      description: 'The arguments of the program.',
      default: [],
      examples: [['-y', '@modelcontextprotocol/server-memory']],
    },
    env: {
      type: 'object',
      additionalProperties: text,
      description: 'Variables for the program, in addition to those that every program gets.',
      examples: [{ LEVEL: 'debug' }],
    },
    cwd: {
      ...text,
      description:
        'The folder in which the program starts. A relative path starts at the folder of the configuration.',
      default: '.',
      examples: ['servers/notes'],
    },
    url: {
      ...text,
      description: 'The address of a server that uses Streamable HTTP.',
      examples: ['https://example.com/mcp'],
    },
    headers: {
      type: 'object',
      additionalProperties: text,
      description: 'Headers of every request.',
      examples: [{ 'X-Team': 'blue' }],
    },
    protocol_version: {
      description:
        'The protocol version of MCP. `2025-11-25` also accepts a server of an earlier version; `auto` tries 2026-07-28 first.',
      enum: ['auto', '2025-11-25', '2026-07-28'],
      default: '2025-11-25',
    },
    trusted: {
      type: 'boolean',
      description:
        'Whether calls of tools that the server marks as read-only or idempotent are repeated after a lost connection.',
      default: false,
    },
    run: {
      description:
        'What happens before a call of its tools runs, unless a table of the tool says it.',
      enum: ['ask', 'unattended', 'deny', 'skip'],
      default: 'ask',
    },
    pin: {
      type: 'boolean',
      description:
        'Whether a tool is disabled when its description differs from the recorded one, until `toolblocks tools accept` accepts the change.',
      default: false,
    },
    timeout_secs: {
      ...seconds,
      description:
        'Time limit of one call, in seconds. Time spent waiting for a person does not count.',
      default: 120,
      examples: [10],
    },
    connect_timeout_secs: {
      ...seconds,
      description: 'Time limit for the start and the list of tools, in seconds.',
      default: 30,
      examples: [5],
    },
    links: {
      type: 'object',
      description:
        'How the links in its results are read: only by `read_resource`, or with every result.',
      properties: {
        mode: {
          description:
            '`lazy`: a model reads a link with `read_resource`. `preview`: the first 2 KiB of the content follow the link in the result. `inline`: the complete content does.',
          enum: ['lazy', 'preview', 'inline'],
          default: 'lazy',
        },
        max_links: {
          ...count,
          description: 'Maximum number of links of one result that are read.',
          default: 8,
          examples: [3],
        },
        max_bytes: {
          ...count,
          description: 'Maximum size of the content of one link, in bytes.',
          default: 262_144,
          examples: [20_000],
        },
        max_total_bytes: {
          ...count,
          description: 'Maximum size of the contents of all links of one result, in bytes.',
          default: 1_048_576,
          examples: [100_000],
        },
      },
      additionalProperties: false,
      examples: [{ mode: 'preview' }],
    },
    disabled: {
      type: 'boolean',
      description: 'Whether the server is ignored.',
      default: false,
    },
  },
  additionalProperties: false,
} satisfies JsonObject
