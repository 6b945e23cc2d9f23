import {
  requireArguments,
  isWellKnownValue,
  normalizeResultValue,
  isQuotedText,
  formatByteSize,
  getBase64ByteLength,
  toLastState,
} from '@toolblocks/protocol/internal'
import {
  type Problem,
  type ToolCall,
  type ToolResult,
  type ToolResultValue,
  type WellKnownValue,
  readResultValue,
  getText,
  readErrorDetails,
} from '@toolblocks/protocol'
import { imageIn } from './read-value.ts'
import { formatCount } from './show-facts.ts'
import type { ShowContext } from './show-context.ts'
import { describeChange, getHunks } from './show-diff.ts'
import type { ShownPart } from './shown-part.ts'

/** Returns one line for a result: of its value, else the first line of its text, else its block types. */
export function summarizeResult(result: ToolResult): string {
  requireArguments('summarizeResult(result)', [result, { content: 'array' }])
  const { content, structuredContent, isError } = result
  const value = normalizeResultValue(structuredContent)
  const isValue =
    value && (isWellKnownValue(value) || readResultValue(structuredContent) !== undefined)
  const firstText = content.map(getText).find((text) => text !== undefined && text.trim() !== '')
  if (isError) {
    const failure = failureWords(result)
    if (firstText === undefined) return failure
    // In a sentence with a quotation, the quotation says what happened.
    const quoted = content.find((block) => block.type === 'text' && isQuotedText(block))
    const isAbout = quoted !== undefined && content.indexOf(quoted) === 1
    const both = isAbout
      ? `${firstLine(firstText)} ${firstLine(getText(quoted) ?? '')}`
      : firstLine(firstText)
    return `${failure}: ${both}`
  }
  if (isValue)
    return value.display?.preferredView === 'hidden'
      ? `${value.kind}: hidden`
      : summarizeValue(value)
  if (firstText !== undefined) return firstLine(firstText)
  const [first] = content
  if (first) return content.length === 1 ? first.type : formatCount(content.length, 'block')
  return structuredContent === undefined
    ? 'no output'
    : summarizeValue({ kind: 'structured', data: structuredContent })
}

const MAX_LENGTH = 100

/** Returns one line for a value: its own `summary`, else one of its content, for example `+15 −3 lines`. */
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
      const change = describeChange(data, getHunks(data))
      return `${data.path}: ${/\d/.test(change) ? `${change} lines` : change}`
    }
    case 'file_content':
      return `${value.data.path}: ${formatByteSize(value.data.size)}`
    case 'file_list': {
      const { entries, truncated } = value.data
      const isFiles = entries.every(({ type = 'file' }) => type === 'file')
      const count = isFiles
        ? formatCount(entries.length, 'file')
        : formatCount(entries.length, 'entry', 'entries')
      return truncated === true ? `${count}, and more` : count
    }
    case 'table': {
      const { columns, rows } = value.data
      return `${formatCount(rows.length, 'row')}, ${formatCount(columns.length, 'column')}`
    }
    case 'image':
      return value.data.alt ?? value.mimeType ?? 'image'
    case 'structured':
      return summarizeData(value)
  }
}

function summarizeData(value: ToolResultValue): string {
  const { data, mimeType } = value
  // Base64 means nothing to a person.
  const picture = typeof data === 'string' ? imageIn(value)?.data.base64 : undefined
  if (picture !== undefined) return `${mimeType}, ${formatByteSize(getBase64ByteLength(picture))}`
  if (Array.isArray(data)) return formatCount(data.length, 'item')
  if (typeof data === 'object' && data !== null)
    return formatCount(Object.keys(data).length, 'field')
  return firstLine(String(data))
}

/** Returns the first line with text, truncated. */
function firstLine(text: string): string {
  const [line = ''] = text
    .trimStart()
    .slice(0, MAX_LENGTH + 1)
    .split('\n')
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line.trimEnd()
}

const MAX_CAUSES = 100
const MAX_WARNINGS = 5

/** Shows that a result is an error, and whether a retry may help. */
export function showFailure(result: ToolResult): ShownPart {
  const { transient } = readErrorDetails(result)
  return { kind: 'failure', text: failureWords(result), transient }
}

/** Returns how a failed call ended. */
function failureWords({ metadata }: ToolResult): string {
  switch (metadata?.outcome) {
    case 'denied':
      return metadata.skipped === true ? 'skipped' : 'denied'
    case 'cancelled':
      return 'cancelled'
    case 'timeout':
      return 'timed out'
    case 'unanswered':
      return 'unanswered: no one was available to answer the tool'
    case 'completed':
    case 'failed':
    case undefined:
      return 'failed'
  }
}

/** Shows the causes of an error, outermost first. */
export function showTrace(result: ToolResult, { cut }: ShowContext): ShownPart[] {
  const { trace } = readErrorDetails(result)
  if (trace.length === 0) return []
  const causes = trace
    .slice(0, MAX_CAUSES)
    .map((cause): ShownPart => ({ kind: 'cause', ...cut(cause) }))
  const count = trace.length - causes.length
  const left: ShownPart[] = count === 0 ? [] : [{ kind: 'left', count, unit: 'cause' }]
  return [{ kind: 'group', parts: [...causes, ...left] }]
}

/** Shows what was skipped or repaired when the result was read: place, message, expected and got. */
export function showWarnings({ metadata }: ToolResult, { extent }: ShowContext): ShownPart[] {
  const warnings = metadata?.warnings ?? []
  const parts = warnings.slice(0, extent === 'whole' ? Infinity : MAX_WARNINGS).map(showWarning)
  const count = warnings.length - parts.length
  return count === 0 ? parts : [...parts, { kind: 'left', count, unit: 'warning' }]
}

function showWarning(warning: Problem): ShownPart {
  const { path, message } = warning
  return { kind: 'warning', path, message, facts: factsBeside(warning) }
}

/** Returns the facts that the message does not contain. */
function factsBeside({ message, expected, got }: Problem): string[] {
  const lowerMessage = message.toLowerCase()
  const isNew = (fact: string | undefined): fact is string =>
    fact !== undefined && !lowerMessage.includes(fact.toLowerCase())
  return [
    ...(isNew(expected) ? [`expected ${expected}`] : []),
    ...(isNew(got) ? [`got ${got}`] : []),
  ]
}

/** Shows the tool's output on standard error. */
export function showStderr(
  { metadata }: ToolResult,
  view: 'name' | 'show',
  { cut }: ShowContext,
): ShownPart[] {
  const stderr = metadata?.['stderr']
  if (typeof stderr !== 'string' || stderr === '') return []
  const { text } = toLastState(stderr)
  const lines = text.replace(/\n$/, '').split('\n').length
  return [{ kind: 'stderr', lines, ...(view === 'show' && { text: cut(text) }) }]
}

/** One result of a turn in one line. */
export interface OverviewLine {
  /** Index of the result, from 0. */
  index: number
  /** One untrusted line: encode it before it is shown. */
  summary: string
  /** From the tool's hint; 0 without one. */
  priority: number
}

/** Returns the results of one turn in one line each, most prominent first, else in order. A timeline keeps the order of calls. */
export function showOverview(results: readonly ToolResult[]): readonly OverviewLine[] {
  requireArguments('showOverview(results)', [results, 'array'])
  return results
    .map((result, index) => ({
      index,
      summary: summarizeResult(result),
      priority: normalizeResultValue(result.structuredContent)?.display?.priority ?? 0,
    }))
    .toSorted((one, other) => other.priority - one.priority)
}

/** Returns the arguments of a call in one text: `path=a.txt lines=3`. The text of malformed arguments is returned unchanged. Nothing is sanitized. */
export function summarizeArguments(callArguments: ToolCall['arguments']): string {
  requireArguments('summarizeArguments(callArguments)', [callArguments, 'value'])
  const text: unknown = callArguments
  if (typeof text === 'string') return text
  return Object.entries(callArguments)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
}
