import { createEditorAnswers } from '@toolblocks/inquiry/editor'
import { createTerminalAnswers } from '@toolblocks/inquiry/terminal'
import type { AnswerQuestion } from '@toolblocks/protocol'
import { renderTerminalBlocks, sanitizeTerminalLine } from '@toolblocks/renderer'
import type { Terminal } from './terminal.ts'

/** How a person likes to be asked. */
export interface PersonOptions {
  /** Forms field by field (`ask`, the default) or in the editor. */
  forms?: 'ask' | 'edit'
}

/** The person at the terminal; undefined where nobody is there. */
export function createPerson(
  { colors, isInteractive }: Terminal,
  root: string,
  { forms = 'ask' }: PersonOptions = {},
): AnswerQuestion | undefined {
  if (!isInteractive) return undefined
  return createTerminalAnswers({
    renderBlocks: (blocks) => renderTerminalBlocks(blocks, { colors, root }),
    renderLine: sanitizeTerminalLine,
    editor: createEditorAnswers({}),
    forms,
  })
}
