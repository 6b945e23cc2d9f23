import { Buffer } from 'node:buffer'
import { escapeUnprintable, requireArguments } from '@toolblocks/protocol/internal'
import type { StoredEntry } from './read-entries.ts'

/**
 * Renders the entries of a conversation as JSON Lines, one entry on each line with its line break, in printable characters. No data is lost:
 * originals and bytes are written as base64. `readConversations` reads the lines as format `toolblocks`.
 */
export async function* renderJsonLinesExport(
  entries: AsyncIterable<StoredEntry> | Iterable<StoredEntry>,
): AsyncGenerator<string> {
  requireArguments('renderJsonLinesExport(entries)', [entries, 'sync or async iterable'])
  for await (const entry of entries)
    yield `${escapeUnprintable(JSON.stringify(entryToJson(entry)))}\n`
}

/** Returns an entry as JSON. Bytes become base64. */
export function entryToJson(entry: StoredEntry): Readonly<Record<string, unknown>> {
  requireArguments('entryToJson(entry)', [entry, 'object'])
  if ('problem' in entry)
    return 'bytes' in entry ? { ...entry, bytes: toBase64(entry.bytes) } : { ...entry }
  const { original, ...rest } = entry
  return original ? { ...rest, original: toBase64(original) } : rest
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
