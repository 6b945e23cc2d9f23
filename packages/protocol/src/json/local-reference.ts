import { valueAtPointer } from './json-pointer.ts'

/** A place in a schema that a `$ref` names. */
export interface ReferencedPlace {
  schema: unknown
  /** Its JSON Pointer. */
  path: string
}

/** Where a `$ref` such as `#/$defs/name` leads in its own schema; `undefined` for any other reference, and where there is nothing. */
export function followReference(root: unknown, reference: unknown): ReferencedPlace | undefined {
  const path = isLocalReference(reference) ? pointerOf(reference) : undefined
  if (path === undefined) return undefined
  const schema = valueAtPointer(root, path)
  return schema === undefined ? undefined : { schema, path }
}

/** Whether a `$ref` names a place in its own schema by a path. */
export function isLocalReference(reference: unknown): reference is string {
  return reference === '#' || (typeof reference === 'string' && reference.startsWith('#/'))
}

function pointerOf(reference: string): string | undefined {
  try {
    return decodeURIComponent(reference.slice(1))
  } catch {
    return undefined
  }
}
