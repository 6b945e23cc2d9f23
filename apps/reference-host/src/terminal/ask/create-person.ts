import { createEditorAnswers } from '@toolblocks/inquiry/editor'
import { createTerminalAnswers } from '@toolblocks/inquiry/terminal'
import { startOwnProgram } from '../../process/own-program.ts'
import type { AnswerQuestion } from '@toolblocks/protocol'
import { renderTerminalBlocks, sanitizeTerminalLine } from '@toolblocks/renderer'
import { loadAbilities } from '../show-to-person.ts'
import type { Terminal } from '../terminal.ts'

/** Settings of the answers of a person. */
export interface PersonOptions {
  root: string
  /** Called when the person presses Ctrl-C at a prompt. */
  interrupt: () => void
  /** Forms field by field (`ask`, the default) or in the editor. */
  forms?: 'ask' | 'edit'
  /** The last line below a question that was cancelled. Default: its reason. */
  whenCancelled?: string
}

/** Creates the answers of the person at the terminal; `undefined` without a person. The material before a question is shown completely. */
export function createPerson(
  terminal: Terminal,
  { root, interrupt, forms = 'ask', whenCancelled }: PersonOptions,
): AnswerQuestion | undefined {
  const { person } = terminal
  if (!person) return undefined
  return async (request, context) => {
    const { blocks, after = [] } = context
    const result = { content: [...blocks, ...after], isError: false }
    const abilities = await loadAbilities([result], terminal)
    const ask = createTerminalAnswers({
      renderBlocks: (content) => {
        const { colors, columns } = person
        const options = { colors, columns, root, maxLines: Infinity, ...abilities }
        return renderTerminalBlocks(content, options)
      },
      renderLine: sanitizeTerminalLine,
      input: person.input,
      output: person.output,
      onInterrupt: interrupt,
      editor: createEditorAnswers({ startProgram: startOwnProgram }),
      forms,
      ...(whenCancelled !== undefined && {
        whenCancelled: sanitizeTerminalLine(whenCancelled),
      }),
    })
    return await ask(request, context)
  }
}
