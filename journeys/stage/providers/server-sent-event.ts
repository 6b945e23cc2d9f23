/** One event of a stream, with its type if the provider sends one. */
export function serverSentEvent(value: object, type?: string): string {
  return `${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(value)}\n\n`
}
