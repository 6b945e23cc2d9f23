/** Returns a JSON Pointer (RFC 6901) with one more step. */
export function appendPointer(path: string, step: string | number): string {
  return `${path}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Returns the steps of a JSON Pointer. */
export function splitPointer(path: string): readonly string[] {
  const steps = path.split('/').slice(1)
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Returns the value at a JSON Pointer, among own properties only; `undefined` if there is none. */
export function valueAtPointer(document: unknown, pointer: string): unknown {
  if (pointer !== '' && !pointer.startsWith('/')) return undefined
  let value: unknown = document
  for (const step of splitPointer(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = Reflect.get(value, step)
  }
  return value
}

/** The target of a `$ref`. */
export interface ReferencedPlace {
  /** The value there. It may not be a schema. */
  schema: unknown
  /** Its JSON Pointer. */
  path: string
}

/** Returns the target of a `$ref` such as `#/$defs/name` in its own schema; `undefined` for any other reference, and if there is no target. */
export function followReference(root: unknown, reference: unknown): ReferencedPlace | undefined {
  const path = isLocalReference(reference) ? findPointer(reference) : undefined
  if (path === undefined) return undefined
  const schema = valueAtPointer(root, path)
  return schema === undefined ? undefined : { schema, path }
}

/** Whether a `$ref` is a path in its own schema. */
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
