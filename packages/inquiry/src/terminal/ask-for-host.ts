import type { Answer, JsonValue, TerminalText } from '@toolblocks/protocol'
import { type Prompt, ask, sizedOutput } from './open-prompt.ts'
import { promptOne, promptYesOrNo } from './prompts.ts'

/** What a host itself asks a person. */
export interface ConfirmationOptions {
  /** What is decided about, shown whole above the question. */
  material: TerminalText
  /** One line. */
  question: TerminalText
  signal: AbortSignal
  /** Called when Ctrl-C is pressed, where it is no signal; the answer is cancelled as well. */
  onInterrupt?: () => void
  /** Default: standard input. */
  input?: NodeJS.ReadStream
  /** Default: standard output. */
  output?: NodeJS.WriteStream
}

/** A choice that a host gives a person. */
export interface ChoiceOptions<Value extends string> extends ConfirmationOptions {
  choices: readonly { value: Value; label: TerminalText }[]
  /** Preselected: one that does no harm. */
  initial: Value
}

/** Asks a person yes or no: `true` or `false` where they answer. No is preselected; Esc offers declining and cancelling. */
export async function confirmAtTerminal(options: ConfirmationOptions): Promise<Answer> {
  const label = options.question
  return await askForHost(options, async (io) => await promptYesOrNo(io, { label, initial: false }))
}

/** Has a person choose: the `value` of a choice where they answer. Esc offers declining and cancelling. */
export async function chooseAtTerminal<Value extends string>(
  options: ChoiceOptions<Value>,
): Promise<Answer> {
  const { question, choices, initial } = options
  return await askForHost(
    options,
    async (io) => await promptOne(io, { label: question, options: choices, initial }),
  )
}

async function askForHost(
  options: ConfirmationOptions,
  show: Prompt<JsonValue>['show'],
): Promise<Answer> {
  const { material, signal, onInterrupt = () => {}, input = process.stdin } = options
  const output = sizedOutput(options.output ?? process.stdout)
  if (!input.isTTY || !output.isTTY) return { action: 'cancel', reason: 'nobody' }
  output.write(`${material}\n`)
  const asked = await ask({ input, output, signal, onInterrupt }, { show })
  switch (asked.kind) {
    case 'value':
      return { action: 'accept', value: asked.value }
    case 'end':
      return asked.answer
    case 'back':
      return { action: 'cancel', reason: 'user' }
  }
}
