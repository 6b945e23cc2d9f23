import { styleText } from 'node:util'
import { ConfirmPrompt } from '@clack/core'
import { S_BAR, S_BAR_END, S_RADIO_ACTIVE, S_RADIO_INACTIVE, symbol } from '@clack/prompts'
import type { PromptIo } from './open-prompt.ts'

/** Yes or no. */
export interface YesOrNoPrompt extends PromptIo {
  /** What stands over the choice, ready to be drawn. */
  message: string
  initial: boolean
}

/**
 * Asks yes or no; the library's symbol stands for leaving it. The library's own prompt leaves the choice behind, which could
 * be taken for an answer.
 */
export function promptChoice(options: YesOrNoPrompt): Promise<boolean | symbol | undefined> {
  const { input, output, signal, message, initial } = options
  return new ConfirmPrompt({
    input,
    output,
    signal,
    active: 'Yes',
    inactive: 'No',
    initialValue: initial,
    render() {
      const bar = styleText('gray', S_BAR)
      const head = [bar, `${symbol(this.state)}  ${message}`]
      switch (this.state) {
        case 'submit':
          return [...head, `${bar}  ${styleText('dim', this.value ? 'Yes' : 'No')}`].join('\n')
        case 'cancel':
          return [...head, bar].join('\n')
        case 'initial':
        case 'active':
        case 'validating':
        case 'error': {
          const choices = [drawChoice('Yes', this.value === true), drawChoice('No', !this.value)]
          const row = choices.join(` ${styleText('dim', '/')} `)
          const open = styleText('cyan', S_BAR)
          return [...head, `${open}  ${row}`, styleText('cyan', S_BAR_END), ''].join('\n')
        }
      }
    },
  }).prompt()
}

function drawChoice(label: string, isChosen: boolean): string {
  return isChosen
    ? `${styleText('green', S_RADIO_ACTIVE)} ${label}`
    : `${styleText('dim', S_RADIO_INACTIVE)} ${styleText('dim', label)}`
}

/** Tells whether a prompt is being left, before the library draws it so. */
export function watchLeaving({ input }: Pick<PromptIo, 'input'>): () => boolean {
  let isLeft = false
  // Every way to leave ends with this key.
  input.on('keypress', (_text: unknown, key: { ctrl?: boolean; name?: string } = {}) => {
    isLeft ||= key.ctrl === true && key.name === 'c'
  })
  return () => isLeft
}
