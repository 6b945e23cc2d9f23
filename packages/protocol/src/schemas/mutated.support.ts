import fc from 'fast-check'

const other = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('text', 'resource', 'structured', 'git.log', -1, 0.5, 2 ** 53, null, '', [], {}),
)
const knownName = fc.constantFrom('type', 'text', 'blob', 'data', 'kind', 'url', 'base64', 'items')

/** Creates values that differ from a JSON value in one place, at any depth: a field is changed, removed or added. */
export function mutated(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null) return other
  const added = fc.tuple(knownName, other).map(([name, field]) => withField(value, name, field))
  const keys = Object.keys(value)
  if (keys.length === 0) return fc.oneof(other, added)
  const changed = fc.constantFrom(...keys).chain((key) =>
    fc.oneof(
      fc.constant(withoutField(value, key)),
      other.map((field) => withField(value, key, field)),
      mutated(Object.entries(value).find(([name]) => name === key)?.[1]).map((field) =>
        withField(value, key, field),
      ),
    ),
  )
  return fc.oneof({ weight: 5, arbitrary: changed }, { weight: 1, arbitrary: added })
}

function withField(value: object, key: string, field: unknown): unknown {
  if (!Array.isArray(value)) return { ...value, [key]: field }
  return value.map((element: unknown, index) => (String(index) === key ? field : element))
}

function withoutField(value: object, key: string): unknown {
  if (Array.isArray(value)) return value.filter((_, index) => String(index) !== key)
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
}

const OTHERS = ['other', 7, -1, true, null, [], [7], {}, { other: 7 }]

/** Yields all values that differ from a JSON value in one field, at any depth: it is replaced or removed. */
export function* changedOnce(value: unknown): Generator {
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    yield withoutField(value, key)
    for (const field of OTHERS) yield withField(value, key, field)
    for (const field of changedOnce(part)) yield withField(value, key, field)
  }
}
