import type { ToolResult } from '@toolblocks/protocol'
import { showApp } from './blocks/show-app.ts'
import { showBlockOfResult } from './blocks/show-block.ts'
import { createShowContext } from './context/show-context.ts'
import type { ShowOptions } from './context/show-options.ts'
import { showFailure, showStderr, showTrace, showWarnings } from './show-remarks.ts'
import type { ShownPart } from './shown-part.ts'
import { chooseStructured } from './values/choose-structured.ts'
import { showStructured } from './values/show-value.ts'

/** A result as a person is shown it, in parts below each other. */
export interface ShownResult {
  /** That the call failed, and how; none for a success. */
  failure: readonly ShownPart[]
  /** What the tool answered: its blocks in their order, then structured content that no block tells. */
  answer: readonly ShownPart[]
  /** The causes of an error, what the tool said beside its answer, what was skipped or repaired, a renderer that failed. */
  remarks: readonly ShownPart[]
}

/** Chooses what a person is shown of a result, as plain JSON that a terminal or a page is written from. */
export function showResult(result: ToolResult, options: ShowOptions = {}): ShownResult {
  const context = createShowContext(options, result.isError ? 'error' : 'success')
  const chosen = chooseStructured(result, options)
  const structured = showStructured(chosen, context)
  return {
    failure: result.isError ? [showFailure(result)] : [],
    answer: [
      ...chosen.content.map((block) => showBlockOfResult(block, context)),
      ...structured.parts,
      ...showApp(result),
    ],
    remarks: [
      ...(result.isError ? showTrace(result, context) : []),
      ...showStderr(result, options.stderr ?? 'name', context),
      ...showWarnings(result, context),
      ...structured.remarks,
    ],
  }
}
