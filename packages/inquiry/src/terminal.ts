export {
  chooseAtTerminal,
  confirmAtTerminal,
  type ChoiceOptions,
  type ConfirmationOptions,
} from './terminal/ask-for-host.ts'
export { createTerminalAnswers } from './terminal/create-terminal-answers.ts'
