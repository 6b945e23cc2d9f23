import { requireArguments, requireChoices } from '@toolblocks/protocol/internal'
import type { ContentBlock, TerminalText, ToolCall, ToolResult } from '@toolblocks/protocol'
import { joinTerminal, stackTerminal } from '../compose/compose-terminal.ts'
import { showArguments } from '../show/show-value.ts'
import { showBlock } from '../show/show-block.ts'
import { createShowContext } from '../show/show-context.ts'
import { showResult } from '../show/show-result.ts'
import type { ShownPart } from '../show/shown-part.ts'
import { RENDER_CHOICES, type RenderOptions, createWriteContext } from './terminal-context.ts'
import { renderPart } from './render-part.ts'

/** A rendered result in parts, for a host that prints its own text elsewhere. A part may be empty. */
export interface RenderedResult {
  /** That the call failed, and how. */
  failure: TerminalText
  /** The result of the tool. */
  answer: TerminalText
  /** The causes of an error, skipped or repaired parts, and output on standard error. */
  remarks: TerminalText
}

/**
 * Renders a complete result for a person at a terminal: an error first says so, with its outcome; then blocks in order, structured content that no
 * block shows, the causes of an error, and what was skipped or repaired. An empty result says so.
 */
export function renderTerminal(result: ToolResult, options: RenderOptions = {}): TerminalText {
  requireArguments('renderTerminal(result, …)', [result, { content: 'array' }])
  requireChoices('renderTerminal(result, options)', 'options', options, RENDER_CHOICES)
  const { failure, answer, remarks } = renderParts(result, options)
  const body = failure === '' ? answer : joinTerminal([failure, answer], '\n')
  return stackTerminal([body, ...remarks])
}

/** Renders the same as `renderTerminal`, in parts. */
export function renderTerminalParts(
  result: ToolResult,
  options: RenderOptions = {},
): RenderedResult {
  requireArguments('renderTerminalParts(result, …)', [result, { content: 'array' }])
  requireChoices('renderTerminalParts(result, options)', 'options', options, RENDER_CHOICES)
  const { failure, answer, remarks } = renderParts(result, options)
  return { failure, answer, remarks: stackTerminal(remarks) }
}

/** Renders blocks like `renderTerminal`, without notes about their result: the `RenderBlocks` port. */
export function renderTerminalBlocks(
  blocks: readonly ContentBlock[],
  options: RenderOptions = {},
): TerminalText {
  requireArguments('renderTerminalBlocks(blocks, …)', [blocks, 'array'])
  requireChoices('renderTerminalBlocks(blocks, options)', 'options', options, RENDER_CHOICES)
  const context = createShowContext(options, 'success')
  const parts = blocks.map((block) => showBlock(block, context))
  return stackTerminal(write(parts, options))
}

/**
 * Renders the arguments of a call for a decision: each complete, under its name. Text of several lines and nested values are after a gutter.
 * Nothing in them is hidden or has an effect.
 */
export function renderArguments(
  values: ToolCall['arguments'],
  options: Pick<RenderOptions, 'colors' | 'columns'> = {},
): TerminalText {
  requireArguments('renderArguments(values, …)', [values, 'value'])
  requireChoices('renderArguments(values, options)', 'options', options, {
    colors: RENDER_CHOICES.colors,
  })
  return joinTerminal(write(showArguments(values), { ...options, maxLines: Infinity }), '\n')
}

function write(parts: readonly ShownPart[], options: RenderOptions): TerminalText[] {
  const context = createWriteContext(options)
  return parts.map((part) => renderPart(part, context))
}

function renderParts(
  result: ToolResult,
  options: RenderOptions,
): Omit<RenderedResult, 'remarks'> & { remarks: readonly TerminalText[] } {
  const parts = showResult(result, options)
  const answer = stackTerminal(write(parts.answer, options))
  const renderNoOutput = (): TerminalText[] =>
    write([{ kind: 'notice', text: '(no output)' }], options)
  return {
    failure: joinTerminal(write(parts.failure, options)),
    answer: answer === '' ? joinTerminal(renderNoOutput()) : answer,
    remarks: write(parts.remarks, options),
  }
}
