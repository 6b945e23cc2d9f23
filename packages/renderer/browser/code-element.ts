import { defineElement, makeButton } from './make-element.ts'

/** Adds a copy button to code. */
export function defineCode(): void {
  defineElement('tb-code', (element) => {
    const button = makeButton('Copy', (pressed) => void copy(element, pressed))
    button.className = 'tb-copy'
    element.append(button)
  })
}

async function copy(element: HTMLElement, button: HTMLButtonElement): Promise<void> {
  const texts = [...element.querySelectorAll('pre')].map((part) => part.textContent)
  try {
    await navigator.clipboard.writeText(texts.join('\n'))
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Not copied'
  }
  setTimeout(() => (button.textContent = 'Copy'), 2000)
}
