export {
  createTerminalAnswers,
  type TerminalAnswersOptions,
} from './terminal/create-terminal-answers.ts'
