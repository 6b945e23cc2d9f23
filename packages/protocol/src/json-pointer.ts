/** A JSON Pointer (RFC 6901) with one more step. */
export function appendPointer(path: string, step: string | number): string {
  return `${path}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The steps of a JSON Pointer. */
export function pointerSteps(path: string): readonly string[] {
  const steps = path.split('/').slice(1)
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}
