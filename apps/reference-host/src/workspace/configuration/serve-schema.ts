import type { JsonObject } from '@toolblocks/protocol'
import type { XStatic } from 'typebox/schema'

const groups = {
  type: 'array',
  items: { type: 'string', minLength: 1 },
  description: 'The groups that the client belongs to.',
  examples: [['readers']],
} as const satisfies JsonObject

const patterns = {
  type: 'array',
  items: { type: 'string', pattern: '^([^\\s*()]+\\*?|\\*)$' },
} as const satisfies JsonObject

/** What a table of a client or of a group decides. */
const rights = {
  allow: {
    ...patterns,
    description:
      'Names of the tools that it may see and call, as rules have them: `*` at the end stands for any characters. A server whose name with `__` fits also offers its prompts and resources. Absent: all.',
    examples: [['github__*', 'fs_read']],
  },
  deny: {
    ...patterns,
    description: 'Names that it may not see, also of those under `allow`.',
    examples: [['github__delete_*']],
  },
  rules: {
    type: 'array',
    items: { type: 'string' },
    description: 'Rules about its calls, before those of `[approvals]`.',
    examples: [['ask fs_write']],
  },
  calls_at_a_time: {
    type: 'integer',
    minimum: 1,
    description:
      'Maximum number of calls that run or wait for a person. Further ones fail at once. With several limits, the lowest counts.',
    examples: [4],
  },
  calls_a_minute: {
    type: 'integer',
    minimum: 1,
    description: 'Maximum number of calls in 60 seconds. With several limits, the lowest counts.',
    examples: [60],
  },
  bytes_a_minute: {
    type: 'integer',
    minimum: 1,
    description:
      'Maximum number of bytes of its calls in 60 seconds: arguments and complete results, as JSON. The result with which it is exceeded is still sent. With several limits, the lowest counts.',
    examples: [10_000_000],
  },
  reads: {
    enum: ['own', 'all'],
    description:
      'The conversations and statistics that it may read on the pages of `--pages`. With several values, the widest counts.',
    default: 'own',
    examples: ['all'],
  },
  answers: {
    enum: ['own', 'all', 'none'],
    description:
      'The questions and approvals that it may answer there. With `all`, it sees those of everybody. With several values, the widest counts.',
    default: 'own',
    examples: ['all'],
  },
} as const satisfies JsonObject

/** One `[serve.groups.<name>]` table. */
const groupSchema = {
  type: 'object',
  properties: rights,
  additionalProperties: false,
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
    ...rights,
  },
  additionalProperties: false,
} as const satisfies JsonObject

const claim = { type: 'string', minLength: 1 } as const

/** The `[serve.oauth]` table. */
const oauthSchema = {
  type: 'object',
  description:
    'Accepts access tokens of an issuer, beside the tokens of clients. Clients learn from the service where to log in.',
  properties: {
    issuer: {
      type: 'string',
      pattern: '^https?://.',
      description: 'The issuer, exactly as in its tokens and its metadata.',
      examples: ['https://login.example.com'],
    },
    audience: {
      type: 'string',
      pattern: '^https?://.',
      description:
        'The address of the service that tokens are for. Absent: `/mcp` of `--public-url`.',
      examples: ['https://tools.example.com/mcp'],
    },
    scopes: {
      type: 'array',
      items: { type: 'string', pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$' },
      description: 'Scopes that every token needs.',
      examples: [['mcp:use']],
    },
    introspection: {
      anyOf: [{ type: 'boolean' }, { type: 'string', pattern: '^https?://.' }],
      description:
        'Whether the issuer is asked about tokens that are not JWT (RFC 7662), or the address at which it is asked. Its answers count for at most 30 seconds. Needs `client_id`.',
      default: false,
      examples: [true],
    },
    client_id: {
      ...claim,
      description:
        'The ID of this service at the issuer, where people sign in on its pages; redirect address: `/sign-in/return` of `--public-url`. Absent: they sign in with tokens.',
      examples: ['toolblocks'],
    },
    client_secret_env: {
      ...claim,
      description: 'The variable with the secret that belongs to `client_id`.',
      examples: ['ISSUER_SECRET'],
    },
    identity_claim: {
      ...claim,
      description: 'The claim that identifies a person.',
      default: 'sub',
      examples: ['email'],
    },
    name_claim: {
      ...claim,
      description: 'The claim with the name for records. Absent: that of the identity.',
      examples: ['preferred_username'],
    },
    groups_claim: {
      ...claim,
      description: 'The claim with the groups, as in `[serve.groups.<name>]`.',
      default: 'groups',
      examples: ['roles'],
    },
  },
  required: ['issuer'],
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
    credentials_key_file: {
      type: 'string',
      minLength: 1,
      description:
        'The file with the key of logins (`login = "each"`): 32 bytes in base64 or hexadecimal digits. Absent: the variable `TOOLBLOCKS_CREDENTIALS_KEY`.',
      examples: ['/run/secrets/credentials-key'],
    },
    trusted_proxies: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      description:
        'IP addresses and networks of proxies, which name the addresses of clients in `X-Forwarded-For` or `Forwarded`. From all others, these headers have no effect.',
      examples: [['10.0.0.0/8']],
    },
    clients: {
      type: 'object',
      description:
        'The clients, by name. Each has tokens of its own, and its own sessions, tasks, results and records. Without this table, all clients have one token.',
      additionalProperties: clientSchema,
    },
    groups: {
      type: 'object',
      description: 'What the members of a group may do, by the name of the group.',
      additionalProperties: groupSchema,
    },
    oauth: oauthSchema,
  },
  additionalProperties: false,
} as const satisfies JsonObject

/** What a client or a group may do. */
export type RightsTable = XStatic<typeof groupSchema>

/** How tools are served, and to whom. */
export type ServeConfiguration = XStatic<typeof serveSchema>
