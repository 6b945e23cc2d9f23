import { printableJson } from '@toolblocks/protocol'
import { keptToJson } from '../open/kept-to-json.ts'
import type { Kept } from '@toolblocks/viewer/reading'

/** Writes what is kept as one line of printable JSON each; nothing is lost, and bytes are base64. */
export async function* writeJsonLines(all: AsyncIterable<Kept>): AsyncGenerator<string> {
  for await (const kept of all) yield `${printableJson(JSON.stringify(keptToJson(kept)))}\n`
}
