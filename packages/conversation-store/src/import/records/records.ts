import { isUtf8 } from 'node:buffer'
import {
  getOwnField,
  IMPORT_BYTES_PER_NODE,
  type JsonObject,
  type JsonValue,
  MAX_IMPORT_RECORD_BYTES,
  MAX_JSON_DEPTH,
  MAX_JSON_NODES,
  type Problem,
  isJsonObject,
  parseJson,
  scanJson,
} from '@toolblocks/protocol'

/** One record of a source: an object, with the bytes it was read from. */
export interface SourceRecord {
  value: JsonObject
  bytes: Uint8Array
}

/** The records of a source in their order, and what was not read as it is. */
export interface Records {
  records: SourceRecord[]
  problems: ImportProblem[]
  /** Values that may still be read. */
  nodesLeft: number
  /** Nothing more is read. */
  isOver: boolean
}

/** What a record takes beside its values. */
const NODES_OF_RECORD = 8

/** Problems of one file that are told apart. */
const MAX_PROBLEMS = 1000

/** No records yet, of a file of some bytes. */
export function startRecords(bytes: number): Records {
  const nodesLeft = MAX_JSON_NODES + Math.floor(bytes / IMPORT_BYTES_PER_NODE)
  return { records: [], problems: [], nodesLeft, isOver: false }
}

/**
 * Reads the bytes of one record; `undefined` for what is no JSON object. Bytes that are no UTF-8 are said. Of a record that is over its budget
 * the bytes are kept.
 */
export function readRecord(bytes: Uint8Array, into: Records): SourceRecord | undefined {
  if (bytes[0] !== OPEN) return undefined
  const read = parseBounded(bytes)
  if (!read.ok && read.over === undefined) return undefined
  if (read.ok && !isJsonObject(read.value)) return undefined
  const record = { value: read.ok && isJsonObject(read.value) ? read.value : {}, bytes }
  if (!isWithin(into, read.ok ? read.nodes : 0)) return undefined
  into.records.push(record)
  if (!read.ok)
    tell(
      into,
      'over-limit',
      `the record has more than ${read.over}; its bytes are kept, and not read`,
    )
  if (!isUtf8(bytes))
    tell(
      into,
      'bad-utf-8',
      'the record has bytes that are no UTF-8; they read as U+FFFD, and are kept',
    )
  return record
}

const OPEN = 0x7b

/** Takes one more place of a file from its budget. */
function isWithin(into: Records, nodes: number): boolean {
  into.nodesLeft -= NODES_OF_RECORD + nodes
  into.isOver ||= into.nodesLeft < 0
  return !into.isOver
}

/** Says something of the last record. */
export function tell(into: Records, code: ImportProblemCode, message: string): void {
  addProblem(into, importProblem(into.records.length - 1, code, message))
}

function addProblem({ problems }: Records, problem: ImportProblem): void {
  if (problems.length < MAX_PROBLEMS) problems.push(problem)
  else if (problems.length === MAX_PROBLEMS) {
    const message = `there are more problems than ${MAX_PROBLEMS}; they are not told apart`
    problems.push({ ...problem, code: 'over-limit', message })
  }
}

export function parseObject(bytes: Uint8Array): JsonObject | undefined {
  const read = parseBounded(bytes)
  return read.ok && isJsonObject(read.value) ? read.value : undefined
}

/** Says what of a source is lost: nothing of it could be read as a record. Behind the budget of a file everything is. */
export function tellLost(into: Records, bytes: Uint8Array, offset: number): void {
  const isBehind = into.isOver
  isWithin(into, 0)
  const place = `${bytes.length.toLocaleString('en')} bytes at ${offset.toLocaleString('en')}`
  const [code, why] = isBehind
    ? (['over-limit', 'are over the number of values that a file of this size may have'] as const)
    : (['torn-record', 'are no whole record'] as const)
  const message = `${place} ${why}, and are not imported`
  const problem = importProblem(into.records.length, code, message)
  // Said once, and whatever else was said.
  if (isBehind) into.problems.push(problem)
  else addProblem(into, problem)
}

/** JSON as it was parsed; or why it was not, which is nothing for what is no JSON. */
type BoundedJson = { ok: true; value: JsonValue; nodes: number } | { ok: false; over?: string }

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

/** What is wrong with what is read: a record is not whole, is no JSON, says what cannot be understood, or is larger than is read. */
export type ImportProblemCode =
  | 'torn-record'
  | 'not-json'
  | 'repaired-record'
  | 'bad-utf-8'
  | 'no-time'
  | 'odd-record'
  | 'missing-blob'
  | 'over-limit'
  | 'unstorable-record'

/** What was not read as it is, or not at all. `path` is a JSON Pointer whose first step is the number of the record, from 0. */
export type ImportProblem = Problem<ImportProblemCode>

export function importProblem(
  record: number,
  code: ImportProblemCode,
  message: string,
): ImportProblem {
  return { path: `/${record}`, message, code }
}

/** The value at the end of some names, one inside the other. */
export function inner(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (at, name) => (isJsonObject(at) ? getOwnField(at, name) : undefined),
    value,
  )
}

/** The texts that records have at the end of some names, in their order. */
export function getTexts(
  records: readonly unknown[],
  ...names: readonly string[]
): readonly string[] {
  return records
    .map((record) => inner(record, ...names))
    .filter((value) => typeof value === 'string')
}
