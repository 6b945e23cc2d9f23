import { modelSchema, storeSchema } from './table-schemas.ts'
import type { JsonObject } from '@toolblocks/protocol'

const price = { type: 'number', minimum: 0 } as const

/** The schema of the user's `config.toml`. */
export const userSettingsSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'config.toml',
  type: 'object',
  properties: {
    model: modelSchema,
    store: storeSchema,
    theme: {
      description: 'How pages are coloured: as the browser wants it, or always light or dark.',
      enum: ['auto', 'light', 'dark'],
      default: 'auto',
    },
    prices: {
      type: 'object',
      description:
        'What a million tokens of a model cost, by the name of the model; `*` stands for any characters.',
      additionalProperties: {
        type: 'object',
        properties: {
          input: { ...price, description: 'A million tokens of input.', examples: [3] },
          output: { ...price, description: 'A million tokens of output.', examples: [15] },
          cached: {
            ...price,
            description:
              'A million tokens of input that were read from a cache; absent: as `input`.',
            examples: [0.3],
          },
        },
        additionalProperties: false,
      },
    },
    safe_folders: {
      type: 'array',
      items: { type: 'string', pattern: '^([A-Za-z]:)?[/\\\\]' },
      description:
        'Absolute paths of folders whose `toolblocks.toml` is read although it, or a folder above it, belongs to another user or may be written by everybody.',
      default: [],
      examples: [['/srv/shared/project']],
    },
  },
  additionalProperties: false,
} satisfies JsonObject
