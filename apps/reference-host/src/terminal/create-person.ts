import { createEditorAnswers } from '@toolblocks/inquiry/editor'
import { createTerminalAnswers } from '@toolblocks/inquiry/terminal'
import type { AnswerQuestion } from '@toolblocks/protocol'
import { renderTerminalBlocks, sanitizeTerminalLine } from '@toolblocks/renderer'
import type { Terminal } from './terminal.ts'

/** How a person is asked. */
export interface PersonOptions {
  root: string
  /** What Ctrl-C at a prompt does. */
  interrupt: () => void
  /** Forms field by field (`ask`, the default) or in the editor. */
  forms?: 'ask' | 'edit'
}

/** The person at the terminal; undefined where nobody is there. Before a question nothing is cut. */
export function createPerson(
  terminal: Terminal,
  { root, interrupt, forms = 'ask' }: PersonOptions,
): AnswerQuestion | undefined {
  if (!terminal.isInteractive) return undefined
  return createTerminalAnswers({
    renderBlocks: (blocks) => {
      const { colors, columns } = terminal
      return renderTerminalBlocks(blocks, { colors, columns, root, maxLines: Infinity })
    },
    renderLine: sanitizeTerminalLine,
    onInterrupt: interrupt,
    editor: createEditorAnswers({}),
    forms,
  })
}
