/**
 * Presses the button of a form at Enter in a text of one line, as a browser does in an input. Shift+Enter begins a new line. In a text of several
 * lines, such as a pasted one, Enter begins a new line, and Ctrl+Enter or Cmd+Enter presses the button.
 */
export function connectEnter(): void {
  document.addEventListener('keydown', (event) => {
    const { target, key, shiftKey, altKey, ctrlKey, metaKey, repeat, isComposing } = event
    if (!(target instanceof HTMLTextAreaElement) || !target.matches('.tb-typed')) return
    if (key !== 'Enter' || shiftKey || altKey || isComposing) return
    if (!ctrlKey && !metaKey && target.value.includes('\n')) return
    event.preventDefault()
    if (!repeat) target.form?.querySelector('button')?.click()
  })
}
