import type { TerminalText, ToolResult } from '@toolblocks/protocol'
import { joinTerminal } from '../compose/join-terminal.ts'
import { renderBlockOfResult } from './blocks/render-block.ts'
import { createRenderContext, type RenderContext } from './render-context.ts'
import type { RenderOptions } from './render-options.ts'
import { describeFailure, renderTrace } from './result/describe-failure.ts'
import { renderStderr } from './result/render-stderr.ts'
import { renderWarnings } from './result/render-warnings.ts'
import { stackParts } from './text/stack-parts.ts'
import { chooseShown } from './values/choose-shown.ts'
import { renderStructured } from './values/render-structured.ts'

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
  return stackParts([body, ...remarks])
}

/** Renders what `renderTerminal` does, in the parts it is made of. */
export function renderTerminalParts(
  result: ToolResult,
  options: RenderOptions = {},
): RenderedResult {
  const { failure, answer, remarks } = renderParts(result, options)
  return { failure, answer, remarks: stackParts(remarks) }
}

interface Parts extends Omit<RenderedResult, 'remarks'> {
  remarks: readonly TerminalText[]
}

function renderParts(result: ToolResult, options: RenderOptions): Parts {
  const context = createRenderContext(options, result.isError ? 'error' : 'success')
  const said = renderStderr(result, options.stderr ?? 'name', context)
  const warnings = renderWarnings(result, context)
  const answer = renderAnswer(result, options, context)
  if (!result.isError) return { failure: joinTerminal([]), answer, remarks: [said, ...warnings] }
  const remarks = [renderTrace(result, context), said, ...warnings]
  return { failure: describeFailure(result, context), answer, remarks }
}

function renderAnswer(
  result: ToolResult,
  { hiddenValues }: RenderOptions,
  context: RenderContext,
): TerminalText {
  const shown = chooseShown(result, hiddenValues)
  const parts = stackParts([
    ...shown.content.map((block) => renderBlockOfResult(block, context)),
    renderStructured(shown, context),
  ])
  return parts === '' ? context.style.dim('(no output)') : parts
}
