import { isUtf8 } from 'node:buffer'
import { type JsonObject, type JsonValue, type Problem, isJsonObject } from '@toolblocks/protocol'
import {
  getOwnField,
  parseJson,
  scanJson,
  IMPORT_BYTES_PER_NODE,
  MAX_IMPORT_RECORD_BYTES,
  MAX_JSON_DEPTH,
  MAX_JSON_NODES,
} from '@toolblocks/protocol/internal'
import { OPEN } from './json-bytes.ts'
import { type LongTexts, type ReadBytes, createTextTaker } from './texts-on-demand.ts'

/** One record of a source: an object, with the bytes from which it was read. */
export interface SourceRecord {
  value: JsonObject
  /** Its bytes. Those of a large file are read from it whenever they are used. */
  readonly bytes: Uint8Array
  /** The number of its bytes, if they are not in memory. */
  size?: number
  /** Its texts that are read on demand. */
  texts?: LongTexts
}

/** How a file is split into records. */
export interface SplitOptions {
  /**
   * Texts of the records with at least this number of characters are not kept in memory, but read from the bytes of the file whenever they are used.
   * Default: all are kept.
   */
  textsOnDemandFrom?: number
  /** Called for each record with the number of its bytes. */
  onRecord?: (bytes: number) => void
}

/** The records of a source in their order, and the problems of reading them. */
export interface Records {
  records: SourceRecord[]
  problems: ImportProblem[]
  /** The number of values that may still be read. */
  nodesLeft: number
  /** Whether the budget is used up and nothing more is read. */
  isOver: boolean
  textsOnDemandFrom: number
  /** Takes the long texts out of a record. Default: they stay. */
  takeTexts?: (value: JsonObject, readBytes: ReadBytes) => LongTexts
  /** Returns how bytes are read from the file again. Default: they stay in memory. */
  releaseBytes?: (bytes: Uint8Array) => ReadBytes
  onRecord?: (bytes: number) => void
}

/** Cost of a record in the budget, in addition to its values. */
const NODES_OF_RECORD = 8

/** Maximum number of problems of one file that are listed one by one. */
const MAX_PROBLEMS = 1000

/** Returns an empty list of records, with the budget for a file of a number of bytes. */
export function startRecords(bytes: number, options: SplitOptions = {}): Records {
  const { textsOnDemandFrom = Infinity, onRecord } = options
  const nodesLeft = MAX_JSON_NODES + Math.floor(bytes / IMPORT_BYTES_PER_NODE)
  return {
    records: [],
    problems: [],
    nodesLeft,
    isOver: false,
    textsOnDemandFrom,
    ...(textsOnDemandFrom < Infinity && {
      takeTexts: createTextTaker(parseObject, textsOnDemandFrom),
    }),
    ...(onRecord && { onRecord }),
  }
}

/**
 * Reads the bytes of one record; returns `undefined` if they are not a JSON object. Reports bytes that are not UTF-8. If a record is over its
 * budget, its bytes are kept.
 */
export function readRecord(bytes: Uint8Array, into: Records): SourceRecord | undefined {
  if (bytes[0] !== OPEN) return undefined
  const read = parseBounded(bytes)
  if (!read.ok && read.over === undefined) return undefined
  if (read.ok && !isJsonObject(read.value)) return undefined
  const value = read.ok && isJsonObject(read.value) ? read.value : {}
  if (!isWithin(into, read.ok ? read.nodes : 0)) return undefined
  const record = createRecord(value, bytes, into)
  into.onRecord?.(bytes.length)
  into.records.push(record)
  if (!read.ok)
    addRecordProblem(
      into,
      'over-limit',
      `the record has more than ${read.over}; only its bytes are kept`,
    )
  if (!isUtf8(bytes))
    addRecordProblem(
      into,
      'bad-utf-8',
      'the record has bytes that are not UTF-8; they are read as U+FFFD, and the original bytes are kept',
    )
  return record
}

function createRecord(
  value: JsonObject,
  bytes: Uint8Array,
  { takeTexts, releaseBytes }: Records,
): SourceRecord {
  const readBytes = releaseBytes?.(bytes) ?? (() => bytes)
  const texts = takeTexts?.(value, readBytes)
  const more = texts && texts.paths.length > 0 ? { texts } : {}
  return releaseBytes
    ? addBytes({ value, size: bytes.length, ...more }, 'bytes', readBytes)
    : { value, bytes, ...more }
}

/** Adds bytes to an object that are read whenever they are used. */
export function addBytes<Holder extends object, Name extends string>(
  holder: Holder,
  name: Name,
  get: ReadBytes,
): Holder & { readonly [key in Name]: Uint8Array } {
  Object.defineProperty(holder, name, { get, enumerable: true, configurable: true })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the line above adds the property
  return holder as Holder & { readonly [key in Name]: Uint8Array }
}

/** Whether the budget of a file allows more values; subtracts them if so. */
function isWithin(into: Records, nodes: number): boolean {
  into.nodesLeft -= NODES_OF_RECORD + nodes
  into.isOver ||= into.nodesLeft < 0
  return !into.isOver
}

/** Adds a problem of the last record. */
export function addRecordProblem(into: Records, code: ImportProblemCode, message: string): void {
  addProblem(into, importProblem(into.records.length - 1, code, message))
}

function addProblem({ problems }: Records, problem: ImportProblem): void {
  if (problems.length < MAX_PROBLEMS) problems.push(problem)
  else if (problems.length === MAX_PROBLEMS) {
    const message = `there are more than ${MAX_PROBLEMS} problems; further ones are not listed`
    problems.push({ ...problem, code: 'over-limit', message })
  }
}

export function parseObject(bytes: Uint8Array): JsonObject | undefined {
  const read = parseBounded(bytes)
  return read.ok && isJsonObject(read.value) ? read.value : undefined
}

/** Adds the problem that a part of a source could not be read as a record. Once the budget of a file is used up, the rest of the file is lost. */
export function addLostProblem(into: Records, bytes: { length: number }, offset: number): void {
  const isBehind = into.isOver
  isWithin(into, 0)
  const range = `${bytes.length.toLocaleString('en')} bytes at ${offset.toLocaleString('en')}`
  const [code, why] = isBehind
    ? (['over-limit', 'exceed the number of values that a file of this size may have'] as const)
    : (['torn-record', 'are not a complete record'] as const)
  const message = `${range} ${why}, and were not imported`
  const problem = importProblem(into.records.length, code, message)
  // Reported once, even after the maximum of problems.
  if (isBehind) into.problems.push(problem)
  else addProblem(into, problem)
}

/** Parsed JSON, or the reason why it was not parsed. The reason is absent if the text is not JSON. */
type BoundedJson = { ok: true; value: JsonValue; nodes: number } | { ok: false; over?: string }

/** Parses JSON from outside, after a check of how many values it has. */
export function parseBounded(bytes: Uint8Array, mostNodes: number = MAX_JSON_NODES): BoundedJson {
  if (bytes.length > MAX_IMPORT_RECORD_BYTES)
    return { ok: false, over: `${MAX_IMPORT_RECORD_BYTES.toLocaleString('en')} bytes` }
  if (!beginsAsJson(bytes)) return { ok: false }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const { nodes, exceeds } = scanJson(text, Math.min(mostNodes, MAX_JSON_NODES))
  if (exceeds === 'depth') return { ok: false, over: `${MAX_JSON_DEPTH} levels` }
  if (exceeds === 'nodes') return { ok: false, over: `${mostNodes.toLocaleString('en')} values` }
  const value = parseJson(text)
  return value === undefined ? { ok: false } : { ok: true, value, nodes }
}

/** The first characters of JSON values, and the blanks before them. */
const BEGINNINGS: ReadonlySet<number> = new Set(Buffer.from('{["-0123456789tfn'))
const BLANKS: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'))

/** Whether bytes begin as JSON does. The text of others may take several times the memory of its bytes. */
function beginsAsJson(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => !BLANKS.has(byte))
  return first !== undefined && BEGINNINGS.has(first)
}

/** Maximum number of values of JSON in a text of a record, whatever the length of the text. */
const FEW_NODES = 1000

/**
 * Parses JSON that is inside a text of a record; returns `undefined` if the text is not JSON, or if the value would take many times the size of the
 * text.
 */
export function parseInner(text: string): JsonValue | undefined {
  const most = FEW_NODES + text.length / IMPORT_BYTES_PER_NODE
  return scanJson(text, Math.min(most, MAX_JSON_NODES)).exceeds ? undefined : parseJson(text)
}

/** What is wrong with a record: it is incomplete, it is not JSON, it cannot be understood, it is larger than the limit, or it is reached through a link. */
export type ImportProblemCode =
  | 'torn-record'
  | 'not-json'
  | 'repaired-record'
  | 'bad-utf-8'
  | 'no-time'
  | 'odd-record'
  | 'missing-blob'
  | 'over-limit'
  /** The base64 of an image, audio or file was repaired, or cannot be. */
  | 'repaired-base64'
  | 'invalid-base64'
  | 'unstorable-record'
  /** A file beside the source is a link, which was not followed. */
  | 'linked'

/** A part of a source that was changed or omitted when it was read. `path` is a JSON Pointer whose first step is the number of the record, from 0. */
export type ImportProblem = Problem<ImportProblemCode>

export function importProblem(
  record: number,
  code: ImportProblemCode,
  message: string,
): ImportProblem {
  return { path: `/${record}`, message, code }
}

/** Returns the value at a path of names, each inside the one before. */
export function getInner(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (parent, name) => (isJsonObject(parent) ? getOwnField(parent, name) : undefined),
    value,
  )
}

/** Returns the texts of records at a path of names, in the order of the records. */
export function getTexts(
  records: readonly unknown[],
  ...names: readonly string[]
): readonly string[] {
  return records
    .map((record) => getInner(record, ...names))
    .filter((value) => typeof value === 'string')
}
