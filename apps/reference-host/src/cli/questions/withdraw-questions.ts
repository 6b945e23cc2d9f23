import { settlePendingQuestion } from '@toolblocks/inquiry/pending'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { describeSettled } from '../../terminal/describe-question.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { withConversations } from '../../workspace/conversations/with-conversations.ts'
import { findQuestion } from './find-question.ts'
import { getQuestionOptions } from '../../workspace/questions/question-options.ts'

/** `toolblocks questions withdraw ID…`: ends questions without an answer. */
export async function withdrawQuestions(
  context: CommandContext,
  ids: readonly string[],
  options: SharedOptions,
): Promise<number> {
  const { terminal } = context
  return await withConversations(context, options, async (opened) => {
    const withdrawn: string[] = []
    let code: number = EXIT.ok
    for (const typed of ids) {
      const match = await findQuestion(opened, typed)
      if (!match.ok) {
        terminal.report('error', match.message)
        code = EXIT.usage
        continue
      }
      const settled = await settlePendingQuestion(
        match.question.id,
        { state: 'withdrawn', by: 'command', reason: 'a person withdrew it' },
        getQuestionOptions(opened.store),
      )
      if (settled.ok) withdrawn.push(settled.question.id)
      else {
        const { question = match.question } = settled
        terminal.report('error', `${question.id}: ${describeSettled(question)}`)
        code = EXIT.failed
      }
    }
    if (options.output === 'json') terminal.printJson({ withdrawn })
    else if (withdrawn.length > 0)
      terminal.print(terminal.style.plain(`Withdrawn: ${withdrawn.join(', ')}.`))
    return code
  })
}
