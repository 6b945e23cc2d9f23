import {
  listPendingQuestions,
  type PendingQuestion,
  readPendingQuestion,
} from '@toolblocks/inquiry/pending'
import { describeAsked } from '@toolblocks/viewer/questions'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { didYouMean } from '../../terminal/did-you-mean.ts'
import { EXIT } from '../../process/exit-codes.ts'
import {
  type OpenConversations,
  withConversations,
} from '../../workspace/conversations/with-conversations.ts'
import { getQuestionOptions } from '../../workspace/questions/question-options.ts'

/** The question that was found, or why none was found. */
export type QuestionMatch = { ok: true; question: PendingQuestion } | { ok: false; message: string }

/** Finds a question by its id, or by an unambiguous prefix of its id. */
export async function findQuestion(
  { store, name }: Pick<OpenConversations, 'store' | 'name'>,
  typed: string,
): Promise<QuestionMatch> {
  const storage = getQuestionOptions(store)
  const exact = await readPendingQuestion(typed, storage)
  if (exact) return { ok: true, question: exact }
  const { questions } = await listPendingQuestions({}, storage)
  const begun = typed === '' ? [] : questions.filter(({ id }) => id.startsWith(typed))
  const [first, ...more] = begun
  if (first === undefined) {
    const hint = didYouMean(
      typed,
      questions.map(({ id }) => id),
    )
    const see = '; "toolblocks questions --all" lists all of them'
    const message = `no question ${JSON.stringify(typed)} in ${name}${hint || see}`
    return { ok: false, message }
  }
  if (more.length === 0) return { ok: true, question: first }
  const named = begun.map((question) => `${question.id} (${describeAsked(question)})`)
  const message = `${begun.length} questions begin with ${JSON.stringify(typed)}: ${named.join(', ')}; type more characters of the id`
  return { ok: false, message }
}

/** Runs a command with the question that is meant. If it does not exist, an error names the most similar id. */
export async function withQuestion(
  typed: string,
  { context, options }: { context: CommandContext; options: SharedOptions },
  use: (opened: OpenConversations & { question: PendingQuestion }) => Promise<number>,
): Promise<number> {
  return await withConversations(context, options, async (opened) => {
    const match = await findQuestion(opened, typed)
    if (match.ok) return await use({ ...opened, question: match.question })
    context.terminal.report('error', match.message)
    return EXIT.usage
  })
}
