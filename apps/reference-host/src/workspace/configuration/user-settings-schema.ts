import { approvalsSchema, modelSchema, storeSchema } from './table-schemas.ts'
import type { JsonObject } from '@toolblocks/protocol'
import type { XStatic } from 'typebox/schema'

const price = { type: 'number', minimum: 0 } as const

/** The schema of the user's `config.toml`. */
export const userSettingsSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'config.toml',
  type: 'object',
  properties: {
    model: modelSchema,
    store: storeSchema,
    approvals: approvalsSchema,
    theme: {
      description:
        'The colours of the pages: the preference of the browser, or always light or dark.',
      enum: ['auto', 'light', 'dark'],
      default: 'auto',
    },
    prices: {
      type: 'object',
      description:
        'Prices of a million tokens, by the name of the model. `*` matches any characters.',
      additionalProperties: {
        type: 'object',
        properties: {
          input: { ...price, description: 'The price of a million input tokens.', examples: [3] },
          output: {
            ...price,
            description: 'The price of a million output tokens.',
            examples: [15],
          },
          cached: {
            ...price,
            description:
              'The price of a million input tokens that were read from a cache. Absent: as `input`.',
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
        'Absolute paths of folders whose `toolblocks.toml` is read although it, or a folder above it, belongs to another user or is writable by everybody.',
      default: [],
      examples: [['/srv/shared/project']],
    },
  },
  additionalProperties: false,
} as const satisfies JsonObject

/** The settings of a user for all folders, as written. A folder cannot set any of them. The schema describes each key. */
export type UserSettings = XStatic<typeof userSettingsSchema>
