/** Whether a value has nothing in it: text, a number, a yes or no, or nothing at all. */
export function isPlainValue(value: unknown): boolean {
  return value === null || typeof value !== 'object'
}
