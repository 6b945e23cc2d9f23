/** The own field of an object; undefined for what is none. */
export function field(data: unknown, name: string): unknown {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, name)) return undefined
  return Reflect.get(data, name)
}

/** The text that data is or holds: itself, its `content` or `text`, or the `modified` of a diff. */
export function textIn(data: unknown): string | undefined {
  const candidates = [data, field(data, 'content'), field(data, 'text'), field(data, 'modified')]
  return candidates.find((candidate) => typeof candidate === 'string')
}
