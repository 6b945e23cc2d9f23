/** A value as JSON; `undefined` for what is none, which only a tool of this process can return: cycles, big integers. */
export function toJson(value: unknown, indentation = 0): string | undefined {
  try {
    const json: unknown = JSON.stringify(value, null, indentation)
    return typeof json === 'string' ? json : undefined
  } catch {
    return undefined
  }
}
