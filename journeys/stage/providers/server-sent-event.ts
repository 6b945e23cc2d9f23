/** One event of a stream, with its type where the provider names it. */
export function serverSentEvent(value: object, type?: string): string {
  return `${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(value)}\n\n`
}
