import { isUtf8 } from 'node:buffer'
import { isJsonObject, type JsonObject } from '@toolblocks/protocol'
import { importProblem, type ImportProblem } from '../import-problem.ts'

/** One record of a source: an object, with the bytes it was read from. */
export interface SourceRecord {
  value: JsonObject
  bytes: Uint8Array
}

/** The records of a source in their order, and what was not read as it is. */
export interface Records {
  records: SourceRecord[]
  problems: ImportProblem[]
}

/** Reads the bytes of one record; `undefined` for what is no JSON object. Bytes that are no UTF-8 are said. */
export function readRecord(bytes: Uint8Array, into: Records): SourceRecord | undefined {
  const value = parseObject(bytes)
  if (!value) return undefined
  const record = { value, bytes }
  into.records.push(record)
  if (!isUtf8(bytes)) {
    const message = 'the record has bytes that are no UTF-8; they read as U+FFFD, and are kept'
    into.problems.push(importProblem(into.records.length - 1, 'bad-utf-8', message))
  }
  return record
}

export function parseObject(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(textOf(bytes))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

/** Says what of a source is lost: nothing of it could be read as a record. */
export function tellLost(into: Records, bytes: Uint8Array, offset: number): void {
  const message = `${bytes.length.toLocaleString('en')} bytes at ${offset.toLocaleString('en')} are no whole record, and are not imported`
  into.problems.push(importProblem(into.records.length, 'torn-record', message))
}
