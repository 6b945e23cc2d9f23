// Parts of attacks and ordinary values.
export const times = (count, make) => Array.from({ length: count }, (_, index) => make(index))
export const named = (count, make) =>
  Object.fromEntries(times(count, (index) => [`p${index}`, make(index)]))
export const text = (length, alphabet = 'ab') => {
  let state = 1
  let made = ''
  for (let index = 0; index < length; index++) {
    state = (state * 1103515245 + 12345) % 2147483648
    made += alphabet[Math.floor(state / 65536) % alphabet.length]
  }
  return made
}
export const nest = (depth, make, leaf) => {
  let value = leaf
  for (let index = 0; index < depth; index++) value = make(value)
  return value
}
export const doubling = (levels, end) => ({
  $ref: '#/$defs/d0',
  $defs: {
    ...Object.fromEntries(
      times(levels, (level) => [
        `d${level}`,
        { anyOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] },
      ]),
    ),
    [`d${levels}`]: end,
  },
})
export const row = (index) => ({
  id: index,
  name: `row ${index}`,
  email: `user${index}@example.com`,
  tags: ['a', 'b'],
  at: '2026-11-21T10:00:00Z',
  kind: 'file',
  size: { width: index, height: 3 },
})
export const rowSchema = {
  type: 'object',
  properties: {
    id: { type: 'integer', minimum: 0 },
    name: { type: 'string', pattern: '^row \\d+$', maxLength: 80 },
    email: { type: 'string', format: 'email' },
    tags: { type: 'array', items: { enum: ['a', 'b', 'c'] }, uniqueItems: true },
    at: { type: 'string', format: 'date-time' },
    kind: { anyOf: [{ const: 'file' }, { const: 'folder' }] },
    size: { $ref: '#/$defs/size' },
  },
  required: ['id', 'name'],
  additionalProperties: false,
}
export const sizeDefs = { size: { type: 'object', properties: { width: { type: 'number' } } } }
