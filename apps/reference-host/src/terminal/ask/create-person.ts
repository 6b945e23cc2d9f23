import { createEditorAnswers } from '@toolblocks/inquiry/editor'
import { createTerminalAnswers } from '@toolblocks/inquiry/terminal'
import { startProgram } from '@toolblocks/local-executor'
import type { AnswerQuestion } from '@toolblocks/protocol'
import { renderTerminalBlocks, sanitizeTerminalLine } from '@toolblocks/renderer'
import { loadAbilities } from '../show-to-person.ts'
import type { Terminal } from '../terminal.ts'

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
  return async (request, context) => {
    const { blocks, after = [] } = context
    const shown = { content: [...blocks, ...after], isError: false }
    const abilities = await loadAbilities([shown], terminal)
    const ask = createTerminalAnswers({
      renderBlocks: (content) => {
        const { colors, columns } = terminal
        const options = { colors, columns, root, maxLines: Infinity, ...abilities }
        return renderTerminalBlocks(content, options)
      },
      renderLine: sanitizeTerminalLine,
      onInterrupt: interrupt,
      editor: createEditorAnswers({ startProgram }),
      forms,
    })
    return await ask(request, context)
  }
}
