import { storeSchema, modelSchema, agentSchema } from './table-schemas.ts'
import type { JsonObject } from '@toolblocks/protocol'
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
      description: 'MCP servers, whose tools are tools here.',
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
            '`structuredContent` beside `content`: what is sent of the two; `auto` leaves out what says the same twice.',
          enum: ['auto', 'content', 'structured', 'both'],
          default: 'auto',
        },
        resource_header: {
          description:
            'Whether a line with its title, name, path or uri stands above each resource that its tool has not formatted itself.',
          enum: ['name', 'none'],
          default: 'name',
        },
      },
      additionalProperties: false,
    },
    deduplication: {
      type: 'object',
      description: 'What a model is given of a resource that it was given before.',
      properties: {
        enabled: {
          type: 'boolean',
          description:
            'Whether a resource that has not changed is delivered as one line that says where all of it stands; a tool may say otherwise, by `deduplicate`.',
          default: true,
        },
        min_bytes: {
          type: 'integer',
          description: 'Bytes of a resource up to which it is delivered again all the same.',
          minimum: 0,
          default: 300,
          examples: [2000],
        },
        lookback_turns: {
          type: 'integer',
          description:
            'Turns back to which a model is pointed; what is further back is delivered again.',
          minimum: 0,
          default: 30,
          examples: [10],
        },
      },
      additionalProperties: false,
    },
    budget: {
      type: 'object',
      description: 'How much of results a model is given.',
      properties: {
        per_result: {
          type: 'integer',
          description:
            'Characters of one result; what is over is left out of the middle of its largest blocks, and can be read by `read_tool_result`. Absent: no limit.',
          minimum: 500,
          examples: [20_000],
        },
        per_turn: {
          type: 'integer',
          description:
            'Characters of all results of a turn together, shared among calls that are made side by side; each keeps 500 at least. Absent: no limit.',
          minimum: 500,
          examples: [100_000],
        },
      },
      additionalProperties: false,
    },
    model: modelSchema,
    agents: {
      type: 'object',
      description:
        'Agents, by name, to which the model can hand work over with the tool `delegate`.',
      additionalProperties: agentSchema,
    },
    store: storeSchema,
  },
  additionalProperties: false,
  $defs: { parameter: parameterSchema },
} satisfies JsonObject

/** The keys that a `[tools.<name>]` table may have. */
export const toolKeys: readonly string[] = Object.keys(toolSchema.properties)
