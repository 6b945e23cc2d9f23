import { explainMissingPeer } from '@toolblocks/protocol'
import type * as answers from './terminal/create-terminal-answers.ts'
import type * as confirmation from './terminal/confirm-at-terminal.ts'

function explain(cause: unknown): never {
  throw explainMissingPeer(cause, { entry: '@toolblocks/inquiry/terminal', peer: '@clack/prompts' })
}

/** Loaded here, so that who lacks the optional peer learns what to add. */
const prompts: typeof answers & typeof confirmation = {
  ...(await import('./terminal/create-terminal-answers.ts').catch(explain)),
  ...(await import('./terminal/confirm-at-terminal.ts').catch(explain)),
}

export const confirmAtTerminal: typeof confirmation.confirmAtTerminal = prompts.confirmAtTerminal
export const createTerminalAnswers: typeof answers.createTerminalAnswers =
  prompts.createTerminalAnswers
export type { ConfirmationOptions } from './terminal/confirm-at-terminal.ts'
export type { TerminalAnswersOptions } from './terminal/create-terminal-answers.ts'
