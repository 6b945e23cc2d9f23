import type { TerminalText, ToolResult } from '@toolblocks/protocol'
import { joinTerminal } from '../compose/join-terminal.ts'
import { renderBlockOfResult } from './blocks/render-block.ts'
import { createRenderContext } from './render-context.ts'
import type { RenderOptions } from './render-options.ts'
import { describeFailure, renderTrace } from './result/describe-failure.ts'
import { renderWarnings } from './result/render-warnings.ts'
import { stackParts } from './text/stack-parts.ts'
import { chooseShown } from './values/choose-shown.ts'
import { renderStructured } from './values/render-structured.ts'

/**
 * Renders a whole result (specs/000) for a person at a terminal: an error says so first, with its outcome; then blocks in their
 * order, structured content that no block tells, the causes of an error, and what was skipped or repaired. Nothing at all is
 * said, too.
 */
export function renderTerminal(result: ToolResult, options: RenderOptions = {}): TerminalText {
  const context = createRenderContext(options, result.isError ? 'error' : 'success')
  const shown = chooseShown(result, options.hiddenValues)
  const parts = stackParts([
    ...shown.content.map((block) => renderBlockOfResult(block, context)),
    renderStructured(shown, context),
  ])
  const body = parts === '' ? context.style.dim('(no output)') : parts
  const warnings = renderWarnings(result, context)
  if (!result.isError) return stackParts([body, ...warnings])
  const failure = joinTerminal([describeFailure(result, context), body], '\n')
  return stackParts([failure, renderTrace(result, context), ...warnings])
}
