import type { ImportSource } from './source.ts'

/** Creates a source in memory, for tests. */
export function getSource(
  content: string | Uint8Array | readonly unknown[],
  {
    path = '/old/conversations/17700000001-a-title/events.json',
    beside = {},
    blobs = {},
  }: {
    path?: string
    beside?: Readonly<Record<string, unknown>>
    blobs?: Readonly<Record<string, string>>
  } = {},
): ImportSource {
  const bytes =
    content instanceof Uint8Array
      ? content
      : Buffer.from(typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`)
  return {
    path,
    head: bytes.subarray(0, 16),
    bytes,
    modifiedAt: '2026-01-01T00:00:00.000Z',
    links: new Set(),
    beside: (name) =>
      Object.hasOwn(beside, name) ? Buffer.from(JSON.stringify(beside[name])) : undefined,
    inside: (name) =>
      Object.keys(beside)
        .filter((each) => each.startsWith(`${name}/`))
        .map((each) => each.slice(name.length + 1))
        .filter((each) => !each.includes('/'))
        .toSorted(),
    blob: (sha256) => (Object.hasOwn(blobs, sha256) ? Buffer.from(blobs[sha256] ?? '') : undefined),
  }
}

/** Writes records as lines. */
export function getLines(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}
