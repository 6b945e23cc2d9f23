import type { JsonObject } from '@toolblocks/protocol'

/** The `[store]` table, in a folder's configuration and in the user's settings. */
export const storeSchema = {
  type: 'object',
  description: 'Where conversations are kept.',
  properties: {
    url: {
      type: 'string',
      description:
        'A SQLite file, where a relative path starts at the folder of the configuration, or a PostgreSQL database, `postgres://…`. Absent: that of the user’s settings; where they name none either, calls are not recorded, and chats and imports are kept in the user’s folder for data.',
      pattern: '^(sqlite:.|postgres(ql)?://.)',
      examples: ['sqlite:.toolblocks/conversations.db', 'postgres://localhost/conversations'],
    },
  },
  required: ['url'],
  additionalProperties: false,
} satisfies JsonObject
