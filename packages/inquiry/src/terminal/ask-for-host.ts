import type { TerminalText } from '@toolblocks/protocol'
import { type Prompt, ask, sizedOutput } from './open-prompt.ts'
import { promptOne, promptYesOrNo } from './prompts.ts'
import type { TerminalInput, TerminalOutput } from './terminal-streams.ts'

/** Options of a question that the host itself asks. */
export interface ConfirmationOptions {
  /** The subject of the decision, shown in full above the question. */
  material: TerminalText
  /** The question, in one line. */
  question: TerminalText
  signal: AbortSignal
  /** Called when Ctrl-C is pressed; it raises no signal while keys are read. The question is cancelled as well. */
  onInterrupt?: () => void
  /** The keyboard. Default: standard input. */
  input?: TerminalInput
  /** The screen. Default: standard output. */
  output?: TerminalOutput
}

/** Options of a choice that the host itself asks for. */
export interface ChoiceOptions<Value extends string> extends ConfirmationOptions {
  /** The choices in the order of display: the `label` is shown, the `value` is returned. */
  choices: readonly { value: Value; label: TerminalText }[]
  /** The preselected value, and the result if the person declines. Use a harmless one. */
  initial: Value
}

/**
 * Asks a person yes or no. `true`: yes. `false`: no, or declined. `undefined`: cancelled, aborted, or no terminal is available. No is preselected;
 * Esc offers to decline or cancel.
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
 * Asks a person to choose. Returns the `value` of the choice; `initial` if the person declines; `undefined` if the person cancels, the call was
 * aborted, or no terminal is available. Esc offers to decline or cancel.
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
