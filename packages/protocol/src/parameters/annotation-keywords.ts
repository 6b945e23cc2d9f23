/** Keywords of JSON Schema that tell a reader something, and refuse no value. `summary` is of tools that describe themselves. */
export const ANNOTATION_KEYWORDS: ReadonlySet<string> = new Set([
  '$comment',
  'default',
  'deprecated',
  'description',
  'examples',
  'readOnly',
  'summary',
  'title',
  'writeOnly',
])
