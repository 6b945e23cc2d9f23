import { MAX_TIMEOUT_MS } from '@toolblocks/local-executor'
import type { JsonObject } from '@toolblocks/protocol'

const text = { type: 'string' }
const count = { type: 'integer', minimum: 1 }
const seconds = {
  type: 'number',
  exclusiveMinimum: 0,
  maximum: Math.floor(MAX_TIMEOUT_MS / 1000),
}

/** The shape of one `[mcp.servers.<name>]` table; `command` or `url` is checked when it is read. */
export const serverSchema = {
  type: 'object',
  properties: {
    command: {
      ...text,
      description: 'The program of a server that speaks on its standard streams.',
      examples: ['npx'],
    },
    args: {
      type: 'array',
      items: text,
      description: 'Its arguments.',
      default: [],
      examples: [['-y', '@modelcontextprotocol/server-memory']],
    },
    env: {
      type: 'object',
      additionalProperties: text,
      description: 'Variables it gets beside the few that every program gets.',
      examples: [{ LEVEL: 'debug' }],
    },
    cwd: {
      ...text,
      description:
        'Where it is started; a relative path starts at the folder of the configuration.',
      default: '.',
      examples: ['servers/notes'],
    },
    url: {
      ...text,
      description: 'The address of a server that is reached over Streamable HTTP.',
      examples: ['https://example.com/mcp'],
    },
    headers: {
      type: 'object',
      additionalProperties: text,
      description: 'Sent with every request.',
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
        'Calls of tools that call themselves read-only or idempotent are repeated after a lost connection.',
      default: false,
    },
    run: {
      description:
        'What stands between a call of its tools and their execution, where their tables do not say it.',
      enum: ['ask', 'unattended', 'deny', 'skip'],
      default: 'ask',
    },
    pin: {
      type: 'boolean',
      description:
        'Its tools are left out once they describe themselves otherwise than recorded, until `toolblocks tools accept` takes the change.',
      default: false,
    },
    timeout_secs: {
      ...seconds,
      description: 'Seconds of one call; the time in which a person is asked does not count.',
      default: 120,
      examples: [10],
    },
    connect_timeout_secs: {
      ...seconds,
      description: 'Seconds for starting it and for its list of tools.',
      default: 30,
      examples: [5],
    },
    links: {
      type: 'object',
      description:
        'What the links in its results lead to: read only by `read_resource`, or by every result.',
      properties: {
        mode: {
          description:
            '`lazy`: a model reads a link by `read_resource`. `preview`: the first 2 KiB of what it leads to stand behind it, unasked. `inline`: all of it does.',
          enum: ['lazy', 'preview', 'inline'],
          default: 'lazy',
        },
        max_links: {
          ...count,
          description: 'Links of one result that are read unasked.',
          default: 8,
          examples: [3],
        },
        max_bytes: {
          ...count,
          description: 'Bytes of what one link leads to.',
          default: 262_144,
          examples: [20_000],
        },
        max_total_bytes: {
          ...count,
          description: 'Bytes of what all links of one result lead to.',
          default: 1_048_576,
          examples: [100_000],
        },
      },
      additionalProperties: false,
      examples: [{ mode: 'preview' }],
    },
    disabled: {
      type: 'boolean',
      description: 'It is left alone, as if it were not there.',
      default: false,
    },
  },
  additionalProperties: false,
} satisfies JsonObject
