import type { Answer, TerminalText } from '@toolblocks/protocol'
import { ask } from './ask/ask.ts'
import { promptYesOrNo } from './prompts/prompts.ts'
import { sizedOutput } from './prompts/sized-output.ts'

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

/** Asks a person yes or no: `true` or `false` where they answer. No is preselected; Esc offers declining and cancelling. */
export async function confirmAtTerminal(options: ConfirmationOptions): Promise<Answer> {
  const { material, question, signal, onInterrupt = () => {}, input = process.stdin } = options
  const output = sizedOutput(options.output ?? process.stdout)
  if (!input.isTTY || !output.isTTY) return { action: 'cancel', reason: 'nobody' }
  output.write(`${material}\n`)
  const asked = await ask(
    { input, output, signal, onInterrupt },
    { show: async (io) => await promptYesOrNo(io, { label: question, initial: false }) },
  )
  switch (asked.kind) {
    case 'value':
      return { action: 'accept', value: asked.value }
    case 'end':
      return asked.answer
    case 'back':
      return { action: 'cancel', reason: 'user' }
  }
}
