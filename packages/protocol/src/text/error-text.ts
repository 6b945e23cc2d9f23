/** Returns the message of an error, or the text of anything else that was thrown. Never throws. */
export function getErrorText(error: unknown): string {
  if (error instanceof Error) return error.message
  try {
    return String(error)
  } catch {
    // Objects without a prototype, or with a `toString` that throws, have no text.
    return `a value of type ${typeof error}`
  }
}
