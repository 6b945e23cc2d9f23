import type {
  Answer,
  AnswerQuestion,
  InputRequest,
  QuestionContext,
  TerminalText,
} from '@toolblocks/protocol'
import { type QuestionTerminal, ask } from './open-prompt.ts'
import { promptOne, show } from './prompts.ts'
import { words } from './words.ts'

/** Hands a question to the editor once the person says so: an editor takes the whole screen and cannot decline. */
export async function askInEditor(
  { label, request }: { label: TerminalText; request: InputRequest },
  {
    terminal,
    context,
    editor,
  }: { terminal: QuestionTerminal; context: QuestionContext; editor: AnswerQuestion | undefined },
): Promise<Answer> {
  if (!editor) {
    const lacking = words`This needs an editor, and none is set up here.`
    show.text([label, lacking], terminal.output)
    return { action: 'cancel', reason: 'nobody' }
  }
  const asked = await ask(terminal, {
    show: async (io) =>
      await promptOne(io, {
        label,
        options: [
          { value: 'open', label: words`Answer in the editor` },
          { value: 'decline', label: words`Decline` },
        ],
      }),
  })
  if (asked.kind === 'end') return asked.answer
  return asked.kind === 'value' && asked.value === 'open'
    ? await editor(request, context)
    : { action: 'decline' }
}
