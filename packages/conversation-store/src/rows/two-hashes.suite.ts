import { createHash } from 'node:crypto'

/** The values of a row beside its bytes that its hashes cover. */
interface HashedRow {
  seq: number
  at: string
  bytes: Uint8Array
}

/** Adds the two hashes that each row had before one hash covered both, and returns the end of the conversation. */
export function hashTwice(
  conversation: string,
  {
    rows,
    createdAt,
    updatedAt,
  }: { rows: readonly HashedRow[]; createdAt: string; updatedAt: string },
): { hashes: readonly { sha256: Uint8Array; chain: Uint8Array }[]; seal: Uint8Array } {
  let chain: Uint8Array = new Uint8Array()
  const hashes = rows.map(({ seq, at, bytes }) => {
    const sha256 = hashParts(`${JSON.stringify([conversation, seq, at])}\n`, bytes)
    chain = hashParts(chain, sha256)
    return { sha256, chain }
  })
  const about = [conversation, rows.at(-1)?.seq ?? 0, createdAt, updatedAt]
  return { hashes, seal: hashParts(`${JSON.stringify(about)}\n`, chain) }
}

function hashParts(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
