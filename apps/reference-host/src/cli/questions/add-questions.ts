import { type Command, Option } from 'commander'
import {
  type ExitCode,
  configOption,
  outputOption,
  trustOption,
} from '../options/command-options.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import type { AnswerQuestionOptions } from './answer-question.ts'
import type { ListQuestionsOptions } from './list-questions.ts'

/** The description of the argument that names a question, in every command. */
const NAMED = 'the question: its id, or the beginning of its id'

/** Adds the commands `toolblocks questions …`. */
export function addQuestions(program: Command, context: CommandContext, end: ExitCode): void {
  const questions = program
    .command('questions')
    .enablePositionalOptions()
    .description('list, show, answer and withdraw questions that wait')
  addList(addShared(questions), context, end)
  addList(
    addWord(questions, 'list', 'list the questions that wait, the oldest first (the default)'),
    context,
    end,
  )
  addWord(questions, 'show', 'show a question with everything that its answer depends on')
    .argument('<id>', NAMED)
    .action(async (id: string, options: SharedOptions) => {
      const { showQuestion } = await import('./show-question.ts')
      end(await showQuestion(context, id, options))
    })
  addWord(questions, 'answer', 'answer a question, or approve a call; asks you at a terminal')
    .argument('<id>', NAMED)
    .addOption(
      new Option('--answer <value>', 'the answer, as text or JSON').conflicts(['yes', 'no']),
    )
    .addOption(new Option('--yes', 'the answer is yes: the call may run').conflicts('no'))
    .option('--no', 'the answer is no: the call may not run')
    .option('--reason <text>', 'with --no for a call: the reason, which the model reads')
    .action(async (id: string, options: AnswerQuestionOptions) => {
      const { answerQuestion } = await import('./answer-question.ts')
      end(await answerQuestion(context, id, options))
    })
  addWord(questions, 'decline', 'decline a question, or deny a call')
    .argument('<id>', NAMED)
    .option('--reason <text>', 'for a call: the reason, which the model reads')
    .action(async (id: string, options: AnswerQuestionOptions) => {
      const { declineQuestion } = await import('./answer-question.ts')
      end(await declineQuestion(context, id, options))
    })
  addWord(questions, 'withdraw', 'end questions without an answer; their calls are cancelled')
    .argument('<ids...>', NAMED)
    .action(async (ids: readonly string[], options: SharedOptions) => {
      const { withdrawQuestions } = await import('./withdraw-questions.ts')
      end(await withdrawQuestions(context, ids, options))
    })
}

/** Lets a command list the questions. */
function addList(command: Command, context: CommandContext, end: ExitCode): void {
  command
    .option('--all', 'also those that were answered or withdrawn, or have expired')
    .action(async (options: ListQuestionsOptions) => {
      const { listQuestions } = await import('./list-questions.ts')
      end(await listQuestions(context, options))
    })
}

function addWord(questions: Command, signature: string, description: string): Command {
  return addShared(questions.command(signature).description(description))
}

function addShared(command: Command): Command {
  return command.addOption(trustOption()).addOption(configOption()).addOption(outputOption())
}
