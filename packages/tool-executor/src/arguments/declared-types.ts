type SchemaObject = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a keyword that the schema itself has, never one it inherits. */
export function keyword(schema: unknown, name: string): unknown {
  return isRecord(schema) && Object.hasOwn(schema, name) ? schema[name] : undefined
}

/** The types a schema declares; empty when it leaves them open. */
export function declaredTypes(schema: unknown): readonly string[] {
  const type = keyword(schema, 'type')
  if (typeof type === 'string') return [type]
  return Array.isArray(type) ? type.filter((entry) => typeof entry === 'string') : []
}

/** The schema of one property, where `properties` names it. */
export function propertySchema(schema: unknown, name: string): unknown {
  return keyword(keyword(schema, 'properties'), name)
}

/** The properties a schema names. */
export function namedProperties(schema: unknown): readonly [string, unknown][] {
  const properties = keyword(schema, 'properties')
  return isRecord(properties) ? Object.entries(properties as SchemaObject) : []
}

/** The JSON Schema type of a value; `integer` for whole numbers that are exact. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'number'
  return typeof value
}
