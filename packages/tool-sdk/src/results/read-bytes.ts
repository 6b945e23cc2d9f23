import { open } from 'node:fs/promises'
import { MAX_OUTPUT_BYTES, sizeInWords } from '@toolblocks/protocol'

/** Reads a whole file. Throws where it is more than a result may hold, or cannot be read. */
export async function readFileBytes(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    return await readBytes(file.createReadStream({ autoClose: false }), path)
  } finally {
    await file.close()
  }
}

/** Collects bytes up to what a result may hold, and throws for more; `name` is for the error. */
export async function readBytes(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): Promise<Uint8Array> {
  const read: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > MAX_OUTPUT_BYTES) throw new Error(tooLarge(name))
    read.push(chunk)
  }
  return Buffer.concat(read)
}

function tooLarge(name: string): string {
  return `${name} has more than ${sizeInWords(MAX_OUTPUT_BYTES)}, which is all that a result may hold; give a part of it`
}
