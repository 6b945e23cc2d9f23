import { requireArguments, requireChoices } from '@toolblocks/protocol/internal'
import type { TerminalText } from '@toolblocks/protocol'
import { promptOne, promptOneOrSentence, promptYesOrNo } from './choice-prompt.ts'
import { type PromptAnswer, type Keyboard, ask, sizedOutput } from './open-prompt.ts'
import type { TerminalInput, TerminalOutput } from './terminal-streams.ts'
import { terminalText } from './words.ts'

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
  /** The choices in the order of display: the `label` is shown, the `value` is returned. `typed`: more words that choose it when they are typed. */
  choices: readonly { value: Value; label: TerminalText; typed?: readonly string[] }[]
  /** The preselected value, and the result if the person declines. Use a harmless one. */
  initial: Value
  /** Default: `list`. `row`: two short choices beside each other. */
  layout?: 'list' | 'row'
  /**
   * The choice that takes a reason: a typed sentence that matches no choice is offered as its reason, under this `label`. Default: such a sentence
   * answers nothing.
   */
  reasonFor?: {
    /** The choice that takes the reason, such as a denial. */
    value: Value
    /** The offer to give the sentence as the reason. */
    label: TerminalText
  }
}

/** What a person chose. */
export interface HostChoice<Value extends string> {
  /** The value of the choice. */
  value: Value
  /** The sentence that the person typed as a reason, only for the value of `reasonFor`. It is untrusted text. */
  reason?: string
}

/**
 * Asks a person yes or no. `true`: yes. `false`: no, or declined. `undefined`: cancelled, aborted, or no terminal is available. No is preselected,
 * only Enter answers, and Esc offers to decline or cancel.
 */
export async function confirmAtTerminal(
  options: ConfirmationOptions,
): Promise<boolean | undefined> {
  requireArguments('confirmAtTerminal(options)', [options, 'object'])
  const label = options.question
  return await askForHost(options, async (terminal) =>
    settle(
      await ask(terminal, {
        show: async (io) => await promptYesOrNo(io, { label, initial: false }),
      }),
      false,
    ),
  )
}

/**
 * Asks a person to choose. Returns the `value` of the choice; `initial` if the person declines; `undefined` if the person cancels, the call was
 * aborted, or no terminal is available. Only Enter answers, and Esc offers to decline or cancel.
 */
export async function chooseAtTerminal<Value extends string>(
  options: ChoiceOptions<Value>,
): Promise<HostChoice<Value> | undefined> {
  requireArguments('chooseAtTerminal(options)', [options, 'object'])
  requireChoices('chooseAtTerminal(options)', 'options', options, { layout: ['list', 'row'] })
  const { question, choices, initial, layout = 'list', reasonFor } = options
  return await askForHost(options, async (terminal) => {
    for (;;) {
      const asked = await ask(terminal, {
        show: async (io) =>
          await promptOneOrSentence(io, {
            label: question,
            options: choices,
            initial,
            layout,
            sentence: reasonFor?.label,
          }),
        ...(reasonFor && { lineBreaks: 'marked' }),
      })
      if (asked.kind !== 'value') return settle<HostChoice<Value>>(asked, { value: initial })
      if (typeof asked.value !== 'object') return { value: asked.value }
      if (!reasonFor) return undefined
      const { sentence: reason } = asked.value
      const confirmed = await confirmReason(terminal, reasonFor.label)
      if (confirmed === 'reason') return { value: reasonFor.value, reason }
      if (confirmed === 'ended') return undefined
    }
  })
}

/** Asks whether the sentence above is the reason. */
async function confirmReason(
  terminal: Keyboard,
  label: TerminalText,
): Promise<'reason' | 'back' | 'ended'> {
  const asked = await ask(terminal, {
    show: async (io) =>
      await promptOne(io, {
        label: terminalText`That is no choice. Is it your reason?`,
        options: [
          { value: 'reason', label, typed: ['yes'] },
          { value: 'back', label: terminalText`Back to the question`, typed: ['no'] },
        ],
        initial: 'reason',
      }),
  })
  if (asked.kind === 'value') return asked.value === 'reason' ? 'reason' : 'back'
  return asked.kind === 'end' && asked.answer.action === 'decline' ? 'back' : 'ended'
}

function settle<Value>(asked: PromptAnswer<Value>, declined: Value): Value | undefined {
  switch (asked.kind) {
    case 'value':
      return asked.value
    case 'end':
      return asked.answer.action === 'decline' ? declined : undefined
    case 'back':
      return undefined
  }
}

async function askForHost<Value>(
  options: ConfirmationOptions,
  askAt: (terminal: Keyboard) => Promise<Value | undefined>,
): Promise<Value | undefined> {
  const { material, signal, onInterrupt = () => {}, input = process.stdin } = options
  const output = sizedOutput(options.output ?? process.stdout)
  if (!input.isTTY || !output.isTTY) return undefined
  output.write(`${material}\n`)
  return await askAt({ input, output, signal, onInterrupt })
}
