import { MAX_TIMEOUT_MS } from '@toolblocks/local-executor'
import type { JsonObject } from '@toolblocks/protocol'
import type { XStatic } from 'typebox/schema'

const text = { type: 'string' } as const
const count = { type: 'integer', minimum: 1 } as const
const seconds = {
  type: 'number',
  exclusiveMinimum: 0,
  maximum: Math.floor(MAX_TIMEOUT_MS / 1000),
} as const

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
    oauth: {
      type: 'object',
      description:
        'How a person logs in with `toolblocks mcp login`. Needed only where the server cannot be logged in to without it.',
      properties: {
        issuer: {
          ...text,
          description:
            'The issuer identifier of the authorization server, the only one that a login uses. Default: that of the first login. A login with `client_secret` needs it.',
          examples: ['https://login.example.com'],
        },
        client_id: {
          ...text,
          description:
            'The ID of Toolblocks at the authorization server, if somebody has registered it there. Default: it registers itself.',
          examples: ['toolblocks-at-work'],
        },
        client_secret: {
          ...text,
          description: 'The secret of this ID, best in a variable.',
          examples: ['${NOTES_SECRET}'],
        },
        client_metadata_url: {
          ...text,
          description:
            'The https address of a client ID metadata document. It is the ID where the authorization server supports such documents.',
          examples: ['https://example.com/toolblocks.json'],
        },
        redirect_port: {
          type: 'integer',
          minimum: 1,
          maximum: 65_535,
          description:
            'The port of the redirect address `http://127.0.0.1:PORT/callback/ID`, if the registration requires one; `toolblocks mcp login` prints it. Default: a free port.',
          examples: [8765],
        },
        scopes: {
          type: 'array',
          items: text,
          description: 'Scopes to request, in addition to those that the server names.',
          default: [],
          examples: [['notes:read']],
        },
        allow_hosts: {
          type: 'array',
          items: text,
          description:
            'Hosts that the metadata of the server may name although their address is inside a network; `host:port` allows only that port.',
          default: [],
          examples: [['login.example.internal']],
        },
      },
      additionalProperties: false,
      examples: [{ scopes: ['notes:read'] }],
    },
    protocol_version: {
      description:
        'The protocol version of MCP. `2025-11-25` also accepts a server of an earlier version, and one that supports only 2026-07-28; `auto` tries 2026-07-28 first.',
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
    defer: {
      type: 'boolean',
      description:
        'Whether the model gets the definitions of its tools only after it has found them with `search_tools`. Absent: by the number of tools (`[tool_search]`).',
    },
    required: {
      type: 'boolean',
      description:
        'Whether `/readyz` of `serve --http` answers 503 while this server is not connected.',
      default: false,
      examples: [true],
    },
    share: {
      type: 'boolean',
      description:
        'Whether all clients of `serve --http` use one connection to this server. Then a server of MCP up to 2025-11-25 can ask them nothing. Absent: only over HTTP with MCP 2026-07-28.',
    },
    login: {
      type: 'string',
      enum: ['service', 'each'],
      description:
        'Whose login `serve --http` has there: that of the user who runs it (`service`), or the one of each person (`each`).',
      default: 'service',
    },
    timeout_secs: {
      ...seconds,
      description:
        'Time limit of one call, in seconds. Time spent waiting for a person does not count. Without this key, a task that a client of `serve` follows has no limit.',
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
} as const satisfies JsonObject

/** One `[mcp.servers.<name>]` table, as written: `${NAME}` is not replaced yet. */
export type ServerConfiguration = XStatic<typeof serverSchema>
