import {
  IMPORT_BYTES_PER_NODE,
  type JsonValue,
  MAX_IMPORT_RECORD_BYTES,
  MAX_JSON_DEPTH,
  MAX_JSON_NODES,
  parseJson,
  scanJson,
} from '@toolblocks/protocol'

/** JSON as it was parsed; or why it was not, which is nothing for what is no JSON. */
export type BoundedJson =
  | { ok: true; value: JsonValue; nodes: number }
  | { ok: false; over?: string }

/** Parses JSON from outside, after a look at what that would take. */
export function parseBounded(bytes: Uint8Array, mostNodes: number = MAX_JSON_NODES): BoundedJson {
  if (bytes.length > MAX_IMPORT_RECORD_BYTES)
    return { ok: false, over: `${MAX_IMPORT_RECORD_BYTES.toLocaleString('en')} bytes` }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const { nodes, exceeds } = scanJson(text, Math.min(mostNodes, MAX_JSON_NODES))
  if (exceeds === 'depth') return { ok: false, over: `${MAX_JSON_DEPTH} levels` }
  if (exceeds === 'nodes') return { ok: false, over: `${mostNodes.toLocaleString('en')} values` }
  const value = parseJson(text)
  return value === undefined ? { ok: false } : { ok: true, value, nodes }
}

/** Values that a text in a record may have, whatever its length. */
const FEW_NODES = 1000

/** Parses JSON that stands in a text of a record; `undefined` for what is none, and for what would take many times its size. */
export function parseInner(text: string): JsonValue | undefined {
  const most = FEW_NODES + text.length / IMPORT_BYTES_PER_NODE
  return scanJson(text, Math.min(most, MAX_JSON_NODES)).exceeds ? undefined : parseJson(text)
}
