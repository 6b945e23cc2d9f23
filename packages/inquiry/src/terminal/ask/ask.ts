import type { Answer, TerminalText } from '@toolblocks/protocol'
import { openPrompt, type Keyboard, type PromptIo } from '../prompts/open-prompt.ts'
import { promptOne, type Cancelled } from '../prompts/prompts.ts'
import { words } from '../prompts/words.ts'

/** What came of a prompt whose Esc menu was gone through. */
export type Asked<Value> =
  | { kind: 'value'; value: Value }
  | { kind: 'back' }
  | { kind: 'end'; answer: Answer }

/** A prompt, and what Esc can go back to beside the prompt itself. */
export interface Prompt<Value> {
  show: (io: PromptIo) => Promise<Value | Cancelled>
  /** The label of what was asked before. */
  previous?: TerminalText | undefined
}

/** Shows a prompt. Esc opens a menu: back, decline, cancel; Esc there, or back to the question, shows the prompt again. */
export async function ask<Value>(terminal: Keyboard, prompt: Prompt<Value>): Promise<Asked<Value>> {
  for (;;) {
    const outcome = await openPrompt(terminal, prompt.show)
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
): Promise<Asked<never> | undefined> {
  const outcome = await openPrompt(
    terminal,
    async (io) =>
      await promptOne(io, {
        label: words`What instead?`,
        options: [
          { value: 'resume', label: words`Back to the question` },
          ...(previous === undefined ? [] : [{ value: 'back', label: words`Back to ${previous}` }]),
          { value: 'decline', label: words`Decline`, hint: words`the answer is no answer` },
          { value: 'cancel', label: words`Cancel`, hint: words`stop asking` },
        ],
      }),
  )
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
