import type { JsonValue, ToolResult } from '@toolblocks/protocol'
import fc from 'fast-check'

/** Objects as JSON.parse makes them. */
const PLAIN = { noNullPrototype: true }
const anyText = fc.string({ unit: 'binary' })
const anyJson = fc.oneof(
  fc.json().map((text): JsonValue => JSON.parse(text)),
  fc.constantFrom(-0, Infinity, -Infinity, '\ud83d', '\0', '\ufeff'),
)
const anyMeta = fc.dictionary(fc.oneof(anyText, fc.constant('__proto__')), anyJson, PLAIN)
const anyBlock = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: anyText, _meta: anyMeta }, PLAIN),
  fc.record(
    {
      type: fc.constant('resource' as const),
      resource: fc.record({ uri: anyText, text: anyText }, PLAIN),
      formatted: anyText,
    },
    PLAIN,
  ),
  fc.record(
    {
      type: fc.constant('image' as const),
      data: fc.base64String(),
      mimeType: fc.constant('image/png'),
    },
    PLAIN,
  ),
)
/** Any tool result that JSON can carry. */
export const anyResult: fc.Arbitrary<ToolResult> = fc.record(
  {
    id: anyText,
    content: fc.array(anyBlock, { maxLength: 4 }),
    isError: fc.boolean(),
    structuredContent: anyJson,
    metadata: fc.record({ outcome: fc.constant('completed' as const), extra: anyJson }, PLAIN),
    _meta: anyMeta,
  },
  { ...PLAIN, requiredKeys: ['content', 'isError'] },
)
