/** A JSON Pointer (RFC 6901) with one more step. */
export function appendPointer(path: string, step: string | number): string {
  return `${path}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The steps of a JSON Pointer. */
export function pointerSteps(path: string): readonly string[] {
  const steps = path.split('/').slice(1)
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value that a JSON Pointer names, among own properties only; `undefined` where there is none. */
export function valueAtPointer(document: unknown, pointer: string): unknown {
  if (pointer !== '' && !pointer.startsWith('/')) return undefined
  let value: unknown = document
  for (const step of pointerSteps(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = Reflect.get(value, step)
  }
  return value
}
