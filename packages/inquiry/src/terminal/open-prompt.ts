import type {
  Answer,
  CancelReason,
  RenderBlocks,
  RenderTerminalLine,
  TerminalText,
} from '@toolblocks/protocol'
import { setImmediate as nextRead, setTimeout as wait } from 'node:timers/promises'
import { promptOne } from './choice-prompt.ts'
import { CANCELLED, type Cancelled, type PromptIo, show } from './prompts.ts'
import { type PastedLineBreaks, readKeys } from './read-keys.ts'
import type { TerminalInput, TerminalOutput } from './terminal-streams.ts'
import { terminalText } from './words.ts'

/** The place where one question is asked, and the renderer for untrusted text. */
export interface QuestionTerminal {
  input: TerminalInput
  output: NodeJS.WriteStream
  renderBlocks: RenderBlocks
  renderLine: RenderTerminalLine
  /** Called on Ctrl-C, which raises no signal while keys are read one by one. */
  onInterrupt: () => void
  /** Closes the open prompt. */
  signal: AbortSignal
  /** `beyond`: the content does not fit on the screen, so yes is not preselected. */
  view: 'whole' | 'beyond'
}

/** The part of a terminal that a prompt needs. */
export type Keyboard = Pick<QuestionTerminal, 'input' | 'output' | 'signal' | 'onInterrupt'>

/** The result of a prompt, including its Esc menu. */
export type PromptAnswer<Value> =
  | { kind: 'value'; value: Value }
  | { kind: 'back' }
  | { kind: 'end'; answer: Answer }

/** A prompt, and the previous question that Esc can go back to. */
export interface Prompt<Value> {
  show: (io: PromptIo) => Promise<Value | Cancelled>
  /** The label of the previous question. */
  previous?: TerminalText | undefined
  /** Line breaks in a pasted text. Default: spaces. */
  lineBreaks?: PastedLineBreaks
}

/** Shows a prompt. Esc opens a menu: back, decline, cancel. Esc in the menu shows the prompt again. */
export async function ask<Value>(
  terminal: Keyboard,
  prompt: Prompt<Value>,
): Promise<PromptAnswer<Value>> {
  for (;;) {
    const outcome = await openPrompt(terminal, prompt)
    switch (outcome.kind) {
      case 'value':
        return outcome
      case 'cancel':
        return { kind: 'end', answer: { action: 'cancel', reason: outcome.reason } }
      case 'escape': {
        const left = await askWhatInstead(terminal, prompt.previous)
        if (left) return left
      }
    }
  }
}

async function askWhatInstead(
  terminal: Keyboard,
  previous: TerminalText | undefined,
): Promise<PromptAnswer<never> | undefined> {
  const outcome = await openPrompt(terminal, {
    show: async (io) =>
      await promptOne(io, {
        label: terminalText`What do you want to do?`,
        options: [
          { value: 'resume', label: terminalText`Back to the question` },
          ...(previous === undefined
            ? []
            : [{ value: 'back', label: terminalText`Back to ${previous}` }]),
          {
            value: 'decline',
            label: terminalText`Decline`,
            hint: terminalText`continue without an answer`,
          },
          { value: 'cancel', label: terminalText`Cancel`, hint: terminalText`stop asking` },
        ],
        initial: 'resume',
      }),
  })
  if (outcome.kind === 'cancel')
    return { kind: 'end', answer: { action: 'cancel', reason: outcome.reason } }
  if (outcome.kind === 'escape') return undefined
  switch (outcome.value) {
    case 'back':
      return { kind: 'back' }
    case 'decline':
      return { kind: 'end', answer: { action: 'decline' } }
    case 'cancel':
      return { kind: 'end', answer: { action: 'cancel', reason: 'user' } }
    default:
      return undefined
  }
}

/** After these events there is no more input. */
const ENDS = ['end', 'close', 'error'] as const

/** Asks the terminal to mark pasted text, so that a line break in it is not Enter. */
const MARK_PASTED = '\u001B[?2004h'

/** The end of marked pastes, and a visible cursor. */
const RESTORE = '\u001B[?2004l\u001B[?25h'

/** Milliseconds in which keys that were typed before the prompt arrive. */
const DISCARD_MS = 50

/**
 * Opens one prompt. What was typed before it is on the screen is discarded, and the person is told. It distinguishes how a prompt ends, which the
 * library does not: Esc, Ctrl-C, the end of input (for which the library would wait forever), and an abort. The terminal is always restored.
 */
export async function openPrompt<Value>(
  { input, output, signal, onInterrupt }: Keyboard,
  { show: showPrompt, lineBreaks = 'spaces' }: Pick<Prompt<Value>, 'show' | 'lineBreaks'>,
): Promise<
  { kind: 'value'; value: Value } | { kind: 'escape' } | { kind: 'cancel'; reason: CancelReason }
> {
  if (signal.aborted) return { kind: 'cancel', reason: 'aborted' }
  if (input.destroyed || input.readableEnded) return { kind: 'cancel', reason: 'end-of-input' }
  const closing = new AbortController()
  let end: 'escape' | CancelReason | undefined
  let isDone = false
  // Deferred, so that the library is not closed while it handles the same key. The library's own key makes it draw the prompt as left.
  const leave = (): void => {
    setImmediate(() => {
      if (!isDone) keys.press('\u0003', { name: 'c', ctrl: true, sequence: '\u0003' })
    })
    setImmediate(() => {
      if (!isDone) closing.abort()
    })
  }
  const close = (reason: 'escape' | CancelReason): void => {
    end ??= reason
    leave()
  }
  const keys = readKeys(input, {
    lineBreaks,
    onEnd: (key) => {
      if (key === 'interrupt' && end === undefined) onInterrupt()
      close(key === 'interrupt' ? 'user' : key)
    },
  })
  const onEnd = (): void => close('end-of-input')
  const onAbort = (): void => close('aborted')
  const restore = (): void => {
    input.setRawMode(false)
    output.write(RESTORE)
  }

  for (const event of ENDS) input.on(event, onEnd)
  signal.addEventListener('abort', onAbort)
  process.once('exit', restore)
  try {
    input.setRawMode(true)
    output.write(MARK_PASTED)
    input.resume()
    await wait(DISCARD_MS)
    // Input that a busy process has not read yet.
    await nextRead()
    if (end !== undefined) return toOutcome(end)
    if (keys.hasDiscarded())
      show.warning(terminalText`What was typed before this question was discarded.`, output)
    // No key arrives before the prompt is drawn. After it, a busy machine could count less time than the person has had it on the screen.
    keys.open()
    const value = await showPrompt({ input: keys.keyboard, output, signal: closing.signal })
    return value === CANCELLED ? toOutcome(end) : { kind: 'value', value }
  } finally {
    isDone = true
    restore()
    input.pause()
    process.off('exit', restore)
    signal.removeEventListener('abort', onAbort)
    for (const event of ENDS) input.off(event, onEnd)
    keys.close()
  }
}

function toOutcome(
  end: 'escape' | CancelReason | undefined,
): { kind: 'escape' } | { kind: 'cancel'; reason: CancelReason } {
  return end === 'escape' ? { kind: 'escape' } : { kind: 'cancel', reason: end ?? 'user' }
}

const COLUMNS = 80

const ROWS = 24

/**
 * Returns the same terminal with a usable size. A pseudo-terminal without a size reports no columns, and the prompt library would put one character
 * in each line.
 */
export function sizedOutput(output: TerminalOutput): NodeJS.WriteStream {
  const sized = new Proxy(output, {
    get(target, key) {
      if (key === 'columns') return target.columns || COLUMNS
      if (key === 'rows') return target.rows || ROWS
      const value: unknown = Reflect.get(target, key, target)
      // oxlint-disable-next-line typescript/no-unsafe-return -- whatever the terminal has
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its users, the library of prompts too, read only the members of `TerminalOutput`
  return sized as NodeJS.WriteStream
}
