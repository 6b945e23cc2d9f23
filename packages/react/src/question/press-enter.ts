import type { KeyboardEvent } from 'react'

/**
 * Presses the button of a form at Enter in a text of one line, as a browser does in an input. Shift+Enter begins a new line. In a text of several
 * lines, such as a pasted one, Enter begins a new line, and Ctrl+Enter or Cmd+Enter presses the button.
 */
export function pressEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const { key, shiftKey, altKey, ctrlKey, metaKey, repeat, nativeEvent, currentTarget } = event
  if (key !== 'Enter' || shiftKey || altKey || nativeEvent.isComposing) return
  if (!ctrlKey && !metaKey && currentTarget.value.includes('\n')) return
  event.preventDefault()
  if (!repeat) currentTarget.form?.querySelector<HTMLButtonElement>('button[type=submit]')?.click()
}
