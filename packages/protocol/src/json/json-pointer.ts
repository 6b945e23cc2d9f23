/** A JSON Pointer (RFC 6901) with one more step. */
export function appendPointer(path: string, step: string | number): string {
  return `${path}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The steps of a JSON Pointer. */
export function splitPointer(path: string): readonly string[] {
  const steps = path.split('/').slice(1)
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value that a JSON Pointer names, among own properties only; `undefined` where there is none. */
export function valueAtPointer(document: unknown, pointer: string): unknown {
  if (pointer !== '' && !pointer.startsWith('/')) return undefined
  let value: unknown = document
  for (const step of splitPointer(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = Reflect.get(value, step)
  }
  return value
}

/** A place in a schema that a `$ref` names. */
export interface ReferencedPlace {
  /** What stands there; nobody has checked that it is a schema. */
  schema: unknown
  /** Its JSON Pointer. */
  path: string
}

/** Where a `$ref` such as `#/$defs/name` leads in its own schema; `undefined` for any other reference, and where there is nothing. */
export function followReference(root: unknown, reference: unknown): ReferencedPlace | undefined {
  const path = isLocalReference(reference) ? findPointer(reference) : undefined
  if (path === undefined) return undefined
  const schema = valueAtPointer(root, path)
  return schema === undefined ? undefined : { schema, path }
}

/** Whether a `$ref` names a place in its own schema by a path. */
export function isLocalReference(reference: unknown): reference is string {
  return reference === '#' || (typeof reference === 'string' && reference.startsWith('#/'))
}

function findPointer(reference: string): string | undefined {
  try {
    return decodeURIComponent(reference.slice(1))
  } catch {
    return undefined
  }
}
