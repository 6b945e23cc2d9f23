import {
  isWellKnownValue,
  sizeInWords,
  sizeOfBase64,
  type ToolResultValue,
  type WellKnownValue,
} from '@toolblocks/protocol'
import { imageIn } from './image-in.ts'
import { countOf } from '../count-of.ts'
import { describeChange } from './diff/show-diff.ts'
import { hunksOfDiff } from './diff/hunks-of-diff.ts'

const LONGEST = 100

/** One line that can stand for a value: its own `summary`, else one of what is in it, for example `+15 −3 lines`. */
export function summarizeValue(value: ToolResultValue): string {
  if (value.summary !== undefined && value.summary !== '') return value.summary
  if (isWellKnownValue(value)) return summarizeWellKnown(value)
  return `${value.kind}: ${summarizeData(value)}`
}

function summarizeWellKnown(value: WellKnownValue): string {
  switch (value.kind) {
    case 'text':
      return firstLine(value.data.content)
    case 'diff': {
      const { data } = value
      if (!data.isNew && data.original === undefined && !data.hunks) return `changed ${data.path}`
      const change = describeChange(data, hunksOfDiff(data))
      return `${data.path}: ${/\d/.test(change) ? `${change} lines` : change}`
    }
    case 'file_content':
      return `${value.data.path}: ${sizeInWords(value.data.size)}`
    case 'file_list': {
      const { entries, truncated } = value.data
      const isFiles = entries.every(({ type = 'file' }) => type === 'file')
      const count = isFiles
        ? countOf(entries.length, 'file')
        : countOf(entries.length, 'entry', 'entries')
      return truncated === true ? `${count}, and more` : count
    }
    case 'table': {
      const { columns, rows } = value.data
      return `${countOf(rows.length, 'row')}, ${countOf(columns.length, 'column')}`
    }
    case 'image':
      return value.data.alt ?? value.mimeType ?? 'image'
    case 'structured':
      return summarizeData(value)
  }
}

function summarizeData(value: ToolResultValue): string {
  const { data, mimeType } = value
  // Base64 says nothing to a person.
  const picture = typeof data === 'string' ? imageIn(value)?.data.base64 : undefined
  if (picture !== undefined) return `${mimeType}, ${sizeInWords(sizeOfBase64(picture))}`
  if (Array.isArray(data)) return countOf(data.length, 'item')
  if (typeof data === 'object' && data !== null) return countOf(Object.keys(data).length, 'field')
  return firstLine(String(data))
}

/** The first line that says something, cut to where a line is long. */
export function firstLine(text: string): string {
  const [line = ''] = text
    .trimStart()
    .slice(0, LONGEST + 1)
    .split('\n')
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line.trimEnd()
}
