import { basename, dirname } from 'node:path'
import { field, type JsonObject } from '@toolblocks/protocol'
import { readRecords, type ReadConversation } from '../read-conversation.ts'
import { parseObject } from '../records/source-record.ts'
import { importProblem, type ImportProblem } from '../import-problem.ts'
import { readTime } from '../read-time.ts'
import type { SplitSource } from '../sources/source.ts'
import { createConverter } from './convert-record.ts'
import { countRecord } from './jp-record.ts'

const TYPES: ReadonlySet<unknown> = new Set([
  'turn_start',
  'chat_request',
  'chat_response',
  'tool_call_request',
  'tool_call_response',
  'inquiry_request',
  'inquiry_response',
  'config_delta',
])

/** An array of records of JP; the file of its first generations and of later ones. */
export function isJp({ document }: SplitSource): boolean {
  const { shape, records } = document
  if (shape === 'lines') return false
  return records.slice(0, 5).some(({ value }) => {
    const time = field(value, 'timestamp')
    return TYPES.has(field(value, 'type')) && typeof time === 'string'
  })
}

/** A folder of JP: `events.json`, and beside it `metadata.json` and, later, `base_config.json`. */
export function readJp(source: SplitSource): readonly ReadConversation[] {
  const { path, document, beside, modifiedAt } = source
  const folder = basename(dirname(path))
  const metadata = parseBeside(beside('metadata.json'))
  const title = field(metadata.value ?? {}, 'title')
  const base = baseOf(beside('base_config.json'))
  const records = base.record ? [base.record, ...document.records] : document.records
  const convert = createConverter(source)
  const read = readRecords({
    source: path,
    format: 'jp',
    id: `jp-${/^\d{11}/.exec(folder)?.[0] ?? folder}`,
    title: typeof title === 'string' ? title : undefined,
    about: metadata.value ?? {},
    startsAt: readTime(field(document.records[0]?.value ?? {}, 'timestamp')) ?? modifiedAt,
    records,
    problems: [...base.problems, ...document.problems],
    convert: (record, index) =>
      record === base.record
        ? { events: [{ type: 'configuration', values: record.value }] }
        : convert(record, index),
    count: (record, tally) => {
      if (record === base.record?.value) tally.configurations += 1
      else countRecord(record, tally)
    },
  })
  return [read]
}

function parseBeside(bytes: Uint8Array | undefined): { value?: JsonObject } {
  const value = bytes && parseObject(bytes)
  return value ? { value } : {}
}

function baseOf(bytes: Uint8Array | undefined): {
  record?: { value: JsonObject; bytes: Uint8Array }
  problems: readonly ImportProblem[]
} {
  if (!bytes) return { problems: [] }
  const value = parseObject(bytes)
  if (value) return { record: { value, bytes }, problems: [] }
  const message = 'base_config.json beside it is no JSON object, and is not imported'
  return { problems: [importProblem(0, 'not-json', message)] }
}
