import type { ContentBlock, TerminalText, ToolCall, ToolResult } from '@toolblocks/protocol'
import { joinTerminal, stackTerminal } from '../compose/compose-terminal.ts'
import { showArguments } from '../show/show-value.ts'
import { showBlock } from '../show/show-block.ts'
import { createShowContext } from '../show/show-context.ts'
import { showResult } from '../show/show-result.ts'
import type { ShownPart } from '../show/shown-part.ts'
import { type RenderOptions, createWriteContext } from './terminal-context.ts'
import { renderPart } from './render-part.ts'

/** A result in parts, for a host that writes its own words elsewhere than what the tool said. An empty part has nothing to say. */
export interface RenderedResult {
  /** That the call failed, and how. */
  failure: TerminalText
  /** What the tool answered. */
  answer: TerminalText
  /** The causes of an error, what was skipped or repaired, and what the tool said beside its answer. */
  remarks: TerminalText
}

/**
 * Renders a whole result for a person at a terminal: an error says so first, with its outcome; then blocks in their
 * order, structured content that no block tells, the causes of an error, and what was skipped or repaired. Nothing at all is
 * said, too.
 */
export function renderTerminal(result: ToolResult, options: RenderOptions = {}): TerminalText {
  const { failure, answer, remarks } = renderParts(result, options)
  const body = failure === '' ? answer : joinTerminal([failure, answer], '\n')
  return stackTerminal([body, ...remarks])
}

/** Renders what `renderTerminal` does, in the parts it is made of. */
export function renderTerminalParts(
  result: ToolResult,
  options: RenderOptions = {},
): RenderedResult {
  const { failure, answer, remarks } = renderParts(result, options)
  return { failure, answer, remarks: stackTerminal(remarks) }
}

/** Renders blocks as `renderTerminal` does, without a word on the result they come from: the `RenderBlocks` port. */
export function renderTerminalBlocks(
  blocks: readonly ContentBlock[],
  options: RenderOptions = {},
): TerminalText {
  const context = createShowContext(options, 'success')
  const parts = blocks.map((block) => showBlock(block, context))
  return stackTerminal(write(parts, options))
}

/**
 * Renders the arguments of a call for a person who decides on it: each whole, under its name. Text of several lines and what is
 * nested stand behind a gutter; nothing in them hides or acts.
 */
export function renderArguments(
  values: ToolCall['arguments'],
  options: Pick<RenderOptions, 'colors' | 'columns'> = {},
): TerminalText {
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
  const shown = showResult(result, options)
  const answer = stackTerminal(write(shown.answer, options))
  const nothing = (): TerminalText[] => write([{ kind: 'notice', text: '(no output)' }], options)
  return {
    failure: joinTerminal(write(shown.failure, options)),
    answer: answer === '' ? joinTerminal(nothing()) : answer,
    remarks: write(shown.remarks, options),
  }
}
