import { explainMissingPeer } from '@toolblocks/protocol'
import type * as answers from './terminal/create-terminal-answers.ts'
import type * as host from './terminal/ask-for-host.ts'

const entry = '@toolblocks/inquiry/terminal'

function explain(cause: unknown): never {
  const withoutPrompts = explainMissingPeer(cause, { entry, peer: '@clack/prompts' })
  throw explainMissingPeer(withoutPrompts, { entry, peer: '@clack/core' })
}

/** Loaded here, so that who lacks the optional peer learns what to add. */
const prompts: typeof answers & typeof host = {
  ...(await import('./terminal/create-terminal-answers.ts').catch(explain)),
  ...(await import('./terminal/ask-for-host.ts').catch(explain)),
}

export const chooseAtTerminal: typeof host.chooseAtTerminal = prompts.chooseAtTerminal
export const confirmAtTerminal: typeof host.confirmAtTerminal = prompts.confirmAtTerminal
export const createTerminalAnswers: typeof answers.createTerminalAnswers =
  prompts.createTerminalAnswers
export type { ChoiceOptions, ConfirmationOptions } from './terminal/ask-for-host.ts'
export type { TerminalAnswersOptions } from './terminal/create-terminal-answers.ts'
