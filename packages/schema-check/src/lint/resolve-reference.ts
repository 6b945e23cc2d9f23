import { resolvePointer } from './json-pointer.ts'

/** Where a `$ref` inside a document leads, or `undefined` where the document has no such place. */
export function resolveReference(
  root: unknown,
  reference: string,
): { schema: unknown; path: string } | undefined {
  const path = pointerOf(reference)
  if (path === undefined) return undefined
  const schema = resolvePointer(root, path)
  return schema === undefined ? undefined : { schema, path }
}

/** Whether a `$ref` names a place in its own document by a path. */
export function isLocal(reference: unknown): reference is string {
  return reference === '#' || (typeof reference === 'string' && reference.startsWith('#/'))
}

function pointerOf(reference: string): string | undefined {
  try {
    return decodeURIComponent(reference.slice(1))
  } catch {
    return undefined
  }
}
