import {
  approvalsSchema,
  storeSchema,
  modelSchema,
  agentSchema,
  promptSchema,
  questionsSchema,
  resourcesSchema,
} from './table-schemas.ts'
import type { JsonObject } from '@toolblocks/protocol'
import { serveSchema } from './serve-schema.ts'
import { serverSchema } from './server-schema.ts'
import { parameterSchema, toolSchema } from './tool-schema.ts'

/** The schema of `toolblocks.toml`. It is used for checks, for editors and for the documentation. */
export const configurationSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'toolblocks.toml',
  type: 'object',
  properties: {
    tools: {
      type: 'object',
      description: 'The tools, by name.',
      additionalProperties: toolSchema,
    },
    mcp: {
      type: 'object',
      description: 'MCP servers. Their tools are available like other tools.',
      properties: {
        servers: {
          type: 'object',
          description: 'The servers, by name.',
          additionalProperties: serverSchema,
        },
      },
      additionalProperties: false,
    },
    format: {
      type: 'object',
      description: 'How results are written for a model.',
      properties: {
        structured: {
          description:
            'Whether `content`, `structuredContent` or both are sent to the model. `auto` omits the one that repeats the other.',
          enum: ['auto', 'content', 'structured', 'both'],
          default: 'auto',
        },
        resource_header: {
          description:
            'Whether a line with its title or name, and its path or URI, is above each resource. Resources that the tool has formatted itself get no line.',
          enum: ['name', 'none'],
          default: 'name',
        },
        error_trace: {
          type: 'boolean',
          description:
            'Whether the causes of an error (`trace`) follow its text, at most 20 and 2,000 characters.',
          default: true,
        },
      },
      additionalProperties: false,
    },
    deduplication: {
      type: 'object',
      description: 'How a resource that the model already has is sent again.',
      properties: {
        enabled: {
          type: 'boolean',
          description:
            'Whether an unchanged resource is sent as a one-line reference to its earlier text. `deduplicate` of a tool overrides this.',
          default: true,
        },
        min_bytes: {
          type: 'integer',
          description: 'Size in bytes up to which a resource is always sent again.',
          minimum: 0,
          default: 300,
          examples: [2000],
        },
        lookback_turns: {
          type: 'integer',
          description:
            'Number of turns back to which a reference may point. A resource from an earlier turn is sent again.',
          minimum: 0,
          default: 30,
          examples: [10],
        },
      },
      additionalProperties: false,
    },
    budget: {
      type: 'object',
      description: 'The maximum length of results for a model.',
      properties: {
        per_result: {
          type: ['integer', 'string'],
          description:
            'Maximum number of characters of one result, or `"all"`. Further text is omitted from the middle of its largest blocks; `read_tool_result` can read it.',
          minimum: 500,
          pattern: '^all$',
          default: 100_000,
          examples: [20_000],
        },
        per_turn: {
          type: ['integer', 'string'],
          description:
            'Maximum number of characters of all results of a turn, or `"all"`. Parallel calls share it; each result gets at least 500.',
          minimum: 500,
          pattern: '^all$',
          default: 400_000,
          examples: [100_000],
        },
      },
      additionalProperties: false,
    },
    tool_search: {
      type: 'object',
      description: 'When tools are found with `search_tools` instead of being listed.',
      properties: {
        defer_above: {
          type: 'integer',
          description:
            'Number of tools above which those without `defer` are not listed: the model finds them with `search_tools`.',
          minimum: 0,
          default: 100,
          examples: [30],
        },
      },
      additionalProperties: false,
    },
    model: modelSchema,
    agents: {
      type: 'object',
      description: 'Agents by name. The model can hand work to them with the tool `delegate`.',
      additionalProperties: agentSchema,
    },
    prompts: {
      type: 'object',
      description: 'Prompts that `toolblocks serve` offers to MCP clients, by name.',
      additionalProperties: promptSchema,
    },
    resources: resourcesSchema,
    serve: serveSchema,
    approvals: approvalsSchema,
    questions: questionsSchema,
    store: storeSchema,
  },
  additionalProperties: false,
  $defs: { parameter: parameterSchema },
} as const satisfies JsonObject

/** The keys that a `[tools.<name>]` table may have. */
export const toolKeys: readonly string[] = Object.keys(toolSchema.properties)
