import type { TerminalText } from '@toolblocks/protocol'
import { type Prompt, ask, sizedOutput } from './open-prompt.ts'
import { promptOne, promptYesOrNo } from './prompts.ts'
import type { TerminalInput, TerminalOutput } from './terminal-streams.ts'

/** What a host itself asks a person. */
export interface ConfirmationOptions {
  /** What is decided about, shown whole above the question. */
  material: TerminalText
  /** One line. */
  question: TerminalText
  signal: AbortSignal
  /** Called when Ctrl-C is pressed, which is no signal while keys are read; the question is cancelled as well. */
  onInterrupt?: () => void
  /** Default: standard input. */
  input?: TerminalInput
  /** Default: standard output. */
  output?: TerminalOutput
}

/** A choice that a host gives a person. */
export interface ChoiceOptions<Value extends string> extends ConfirmationOptions {
  /** In the order in which they are shown: the `label` is shown, the `value` is returned. */
  choices: readonly { value: Value; label: TerminalText }[]
  /** The value that is preselected, and the result where the person declines: choose one that does no harm. */
  initial: Value
}

/**
 * Asks a person yes or no. `true`: they said yes. `false`: they said no, or declined. `undefined`: they cancelled, the call was
 * aborted, or there is no terminal to ask at. No is preselected; Esc offers declining and cancelling.
 */
export async function confirmAtTerminal(
  options: ConfirmationOptions,
): Promise<boolean | undefined> {
  const label = options.question
  return await askForHost(options, {
    show: async (io) => await promptYesOrNo(io, { label, initial: false }),
    declined: false,
  })
}

/**
 * Asks a person to choose. Returns the `value` of their choice; `initial` where they decline; `undefined` where they cancel, where
 * the call was aborted, or where there is no terminal to ask at. Esc offers declining and cancelling.
 */
export async function chooseAtTerminal<Value extends string>(
  options: ChoiceOptions<Value>,
): Promise<Value | undefined> {
  const { question, choices, initial } = options
  return await askForHost(options, {
    show: async (io) => await promptOne(io, { label: question, options: choices, initial }),
    declined: initial,
  })
}

async function askForHost<Value>(
  options: ConfirmationOptions,
  { show, declined }: { show: Prompt<Value>['show']; declined: Value },
): Promise<Value | undefined> {
  const { material, signal, onInterrupt = () => {}, input = process.stdin } = options
  const output = sizedOutput(options.output ?? process.stdout)
  if (!input.isTTY || !output.isTTY) return undefined
  output.write(`${material}\n`)
  const asked = await ask({ input, output, signal, onInterrupt }, { show })
  switch (asked.kind) {
    case 'value':
      return asked.value
    case 'end':
      return asked.answer.action === 'decline' ? declined : undefined
    case 'back':
      return undefined
  }
}
