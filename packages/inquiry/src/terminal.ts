export {
  chooseAtTerminal,
  confirmAtTerminal,
  type Choice,
  type ChoiceOptions,
  type ConfirmationOptions,
} from './terminal/ask-for-host.ts'
export {
  createTerminalAnswers,
  type TerminalAnswersOptions,
} from './terminal/create-terminal-answers.ts'
export type { TerminalInput, TerminalOutput } from './terminal/terminal-streams.ts'
