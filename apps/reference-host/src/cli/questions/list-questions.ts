import { type ConversationStore, describeConversation } from '@toolblocks/conversation-store'
import { listPendingQuestions, type PendingQuestion } from '@toolblocks/inquiry/pending'
import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '@toolblocks/renderer'
import { findPersonConversation } from '@toolblocks/viewer/questions'
import { readShortIds } from '@toolblocks/viewer/reading'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { describePending } from '../../terminal/describe-question.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { withConversations } from '../../workspace/conversations/with-conversations.ts'
import { hasCallContinued, isAnswered } from '../../workspace/questions/continued-call.ts'
import { getQuestionOptions } from '../../workspace/questions/question-options.ts'

/** The options of `toolblocks questions list`. */
export interface ListQuestionsOptions extends SharedOptions {
  /** Whether settled questions are listed, too. */
  all?: boolean
}

/** `toolblocks questions list`: lists the questions that wait, the oldest first. */
export async function listQuestions(
  context: CommandContext,
  options: ListQuestionsOptions,
): Promise<number> {
  const { terminal } = context
  const { all = false, output } = options
  return await withConversations(context, options, async ({ store, name }) => {
    const { questions, unreadable } = await listPendingQuestions(
      all ? {} : { state: 'open' },
      getQuestionOptions(store),
    )
    const listed = await Promise.all(
      questions.map(async (question) => await describePlace(store, question)),
    )
    if (output === 'json') {
      terminal.printJson({ questions: listed, unreadable })
      return EXIT.ok
    }
    if (unreadable.length > 0)
      terminal.report(
        'warning',
        `${unreadable.length === 1 ? 'a question' : `${unreadable.length} questions`} cannot be read: ${unreadable.join(', ')}`,
      )
    if (listed.length === 0) {
      terminal.print(terminal.style.plain(`No questions ${all ? '' : 'wait '}in ${name}.`))
      return EXIT.ok
    }
    const shorten = await readShortIds(store)
    const now = new Date()
    const rows: TerminalText[] = []
    for (const { title, resume, ...question } of listed) {
      const facts = [...(title === undefined ? [] : [title]), shorten(resume)]
      const more = question.hasContinued === false ? ['its call has not continued'] : []
      rows.push(describePending(question, terminal, { facts, more, now }))
    }
    terminal.print(joinTerminal(rows, '\n'))
    if (terminal.isInteractive && listed.some(({ state }) => state === 'open'))
      terminal.note(terminal.style.dim('Answer with: toolblocks questions answer ID'))
    return EXIT.ok
  })
}

/** A question, and the conversation of the person in which it was asked. */
export type ListedQuestion = PendingQuestion & {
  /** The id of the conversation to resume after the answer. */
  resume: string
  /** The beginning of this conversation, in one line. */
  title?: string
  /** Only for an open question with `isLocal`: whether a host asks it now. If not, it is asked again when the conversation continues. */
  isAsked?: boolean
  /** Only for a question that was answered or declined: whether its call has continued. */
  hasContinued?: boolean
}

/** Adds the conversation that a person resumes. It differs from `conversation` for a question of an agent. */
export async function describePlace(
  store: Pick<ConversationStore, 'read' | 'documents'>,
  question: PendingQuestion,
): Promise<ListedQuestion> {
  const { state, isLocal } = question
  const isAsked =
    state === 'open' && isLocal ? await getQuestionOptions(store).isAsked(question) : undefined
  const hasContinued = isAnswered(question) ? await hasCallContinued(store, question) : undefined
  const resume = await findPersonConversation(store, question.conversation)
  const { title } = await describeConversation(store, resume)
  return {
    ...question,
    resume,
    ...(title !== undefined && { title }),
    ...(isAsked !== undefined && { isAsked }),
    ...(hasContinued !== undefined && { hasContinued }),
  }
}
