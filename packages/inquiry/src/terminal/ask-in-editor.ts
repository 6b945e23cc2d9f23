import { log, select } from '@clack/prompts'
import type { Answer, AnswerQuestion, InputRequest, QuestionContext } from '@toolblocks/protocol'
import { ask } from './ask.ts'
import type { Terminal } from './terminal.ts'

/** Hands a question to the editor once the person says so: an editor takes the whole screen and cannot decline. */
export async function askInEditor(
  { label, request }: { label: string; request: InputRequest },
  {
    terminal,
    context,
    editor,
  }: { terminal: Terminal; context: QuestionContext; editor: AnswerQuestion | undefined },
): Promise<Answer> {
  if (!editor) {
    log.message([label, 'This needs an editor, and none is set up here.'], terminal)
    return { action: 'cancel', reason: 'nobody' }
  }
  const asked = await ask(terminal, {
    show: async (io) =>
      await select({
        ...io,
        message: label,
        options: [
          { value: 'open', label: 'Answer in the editor' },
          { value: 'decline', label: 'Decline' },
        ],
      }),
  })
  if (asked.kind === 'end') return asked.answer
  return asked.kind === 'value' && asked.value === 'open'
    ? await editor(request, context)
    : { action: 'decline' }
}
