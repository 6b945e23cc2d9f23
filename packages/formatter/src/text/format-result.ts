import { requireFormatOptions } from './format-block.ts'
import {
  requireArguments,
  formatErrorTrace,
  formatNote,
  isMisreadResult,
  getSkippedBlocks,
} from '@toolblocks/protocol/internal'
import {
  type ContentBlock,
  type ModelText,
  type ToolResult,
  readErrorDetails,
} from '@toolblocks/protocol'
import { type FormatOptions, formatBlock } from './format-block.ts'
import {
  chooseDelivered,
  formatStructured,
  hasReplacedText,
  withLastState,
} from './format-structured.ts'
import { resemblesHostNote } from './host-notes.ts'
import { oneLine, toModelText } from './model-text.ts'
import { describeSelection, selectResult } from './select-result.ts'
import { type JoinedParts, type ResultPart, closePart, joinParts } from './parts.ts'

/**
 * Formats a complete result for a model (`docs/protocol.md`, "What a model receives"): first one paragraph with the host's notes, if there are any,
 * then the blocks in order and structured content by policy. An empty line separates the parts.
 */
export function formatResult(result: ToolResult, options: FormatOptions = {}): ModelText {
  requireArguments('formatResult(result, …)', [result, { content: 'array' }])
  requireFormatOptions('formatResult(result, options)', 'options', options)
  const selection = selectResult(result)
  const { content, structured } = chooseDelivered(selection.result, options.structured ?? 'auto')
  const parts = [
    ...content.map(({ block, index }) => formatBlock(block, options, index)),
    ...formatStructured(selection.result, structured),
    ...describeSelection(selection),
  ]
  const body = joinParts([...parts, ...formatTrace(result, parts, options)])
  const notes = formatHostNotes(result, body)
  const texts = [...(notes === '' ? [] : [notes]), ...(isBlank(body) ? [] : [body.text])]
  return toModelText(texts.join('\n\n'))
}

/** Returns the causes of an error that its parts do not tell. */
export function formatTrace(
  result: ToolResult,
  parts: readonly ResultPart[],
  { errorTrace = true }: FormatOptions,
): readonly ResultPart[] {
  if (!errorTrace || !result.isError) return []
  const text = formatErrorTrace(result, parts.map((part) => part.text).join('\n'))
  return text === undefined ? [] : [{ from: 'host', text, quoted: text }]
}

/**
 * Returns the host's notes about a result, one line each: that it is an error, that blocks were skipped, that a text was meant as a result, that
 * text was written over, that lines were added, that a line of the tool is like a note. They are the first paragraph, where no text of the tool can enclose them. If a tool's text begins like a note, a real note is
 * put before it.
 */
export function formatHostNotes(result: ToolResult, body: JoinedParts): string {
  const { text, hasClosings, hasLikeness } = body
  const notes = [
    describeFailure(result),
    describeSkipped(result),
    isMisreadResult(result) ? MEANT_AS_RESULT : undefined,
    hasReplacedText(result) ? REDRAWN : undefined,
    hasClosings ? CLOSINGS : undefined,
    hasLikeness ? LIKE_A_NOTE : undefined,
  ].filter((line) => line !== undefined)
  if (notes.length > 0) return notes.join('\n')
  if (isBlank(body)) return '[The tool returned no output.]'
  return resemblesHostNote(text) ? '[The tool call completed.]' : ''
}

const MEANT_AS_RESULT =
  "[The tool's output looks like a result, but it has the wrong format: you receive it as printed.]"

const REDRAWN =
  "[The tool's text writes over itself, as progress bars do: you receive what a terminal shows in the end.]"

/** Whether only the host's notes are left: most providers refuse white space alone. */
export function isBlank({ text, isEmpty }: JoinedParts): boolean {
  return isEmpty || text.trim() === ''
}

const CLOSINGS =
  "[The tool's text may leave a code or HTML block open: lines that close it were added after it.]"

const LIKE_A_NOTE =
  "[The tool's text has a line like a note about omitted content: the tool wrote it, not the host.]"

function describeFailure(result: ToolResult): string | undefined {
  if (!result.isError) return undefined
  const { transient } = readErrorDetails(result)
  const retry = transient ? ' The same call may succeed later.' : ''
  return `[The tool call ${describeOutcome(result)}.${retry}]`
}

function describeOutcome(result: ToolResult): string {
  switch (result.metadata?.outcome) {
    case 'denied':
      return 'was denied'
    case 'cancelled':
      return 'was cancelled'
    case 'timeout':
      return 'timed out'
    case 'unanswered':
      return 'ended with unanswered questions'
    case 'completed':
    case 'failed':
    case undefined:
      return 'failed'
  }
}

const MAX_SHOWN = 3

function describeSkipped(result: ToolResult): string | undefined {
  const skipped = getSkippedBlocks(result)
  if (skipped.length === 0) return undefined
  const reasons = skipped.slice(0, MAX_SHOWN).map(({ message }) => oneLine(message))
  const more = skipped.length > MAX_SHOWN ? ['…'] : []
  const blocks = skipped.length === 1 ? '1 block' : `${skipped.length} blocks`
  const list = [...reasons, ...more].join('; ')
  return formatNote(`The tool's result has ${blocks} that could not be read: ${list}`)
}

/**
 * Formats blocks for a model like `formatResult`, without notes about their result: for example the blocks before a question. Each block is closed,
 * so that following text is outside.
 */
export function formatBlocks(
  blocks: readonly ContentBlock[],
  options: FormatOptions = {},
): ModelText {
  requireArguments('formatBlocks(blocks, …)', [blocks, 'array'])
  requireFormatOptions('formatBlocks(blocks, options)', 'options', options)
  const texts = blocks.map((block) => closePart(formatBlock(withLastState(block), options)))
  return toModelText(texts.join('\n\n'))
}
