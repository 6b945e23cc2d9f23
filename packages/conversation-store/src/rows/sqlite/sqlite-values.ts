import type { SQLOutputValue } from 'node:sqlite'

const NO_BYTES = Buffer.alloc(0)

/** Bytes as a value of a statement. Node.js 22 binds an empty array as NULL if it has no memory, as that of a `TextEncoder`. */
export function toBlob(bytes: Uint8Array): Uint8Array {
  return bytes.length === 0 ? NO_BYTES : bytes
}

/** An SQL expression for a text that `readText` reads. Node.js 22 ends a text at its first NUL character, but not bytes. */
export function selectText(column: string, name = column): string {
  return `CAST(${column} AS BLOB) AS ${name}`
}

/** Reads a text that was selected by `selectText`. */
export function readText(value: SQLOutputValue | undefined): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString() : String(value)
}
