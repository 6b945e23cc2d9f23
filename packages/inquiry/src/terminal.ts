export { confirmAtTerminal, type ConfirmationOptions } from './terminal/confirm-at-terminal.ts'
export {
  createTerminalAnswers,
  type TerminalAnswersOptions,
} from './terminal/create-terminal-answers.ts'
