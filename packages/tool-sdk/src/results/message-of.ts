/** What was thrown, in words. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '')
    return thrown.errors.map(messageOf).join('; ')
  if (thrown instanceof Error) return thrown.message === '' ? thrown.name : thrown.message
  if (typeof thrown === 'string') return thrown
  return `${JSON.stringify(thrown) ?? typeof thrown} was thrown`
}
