import type { Problem } from '@toolblocks/protocol'

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
