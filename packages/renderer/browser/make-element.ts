/** Creates an element with text. Markup is never parsed. */
export function makeElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  { text, className }: { text?: string; className?: string } = {},
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  if (text !== undefined) element.textContent = text
  if (className !== undefined) element.className = className
  return element
}

/** Creates a button with an action. */
export function makeButton(
  text: string,
  act: (button: HTMLButtonElement) => void,
): HTMLButtonElement {
  const button = makeElement('button', { text })
  button.type = 'button'
  button.addEventListener('click', () => act(button))
  return button
}

/** Calls a function once for every element of a name, also for those that are added later. */
export function defineElement(name: string, connect: (element: HTMLElement) => void): void {
  if (customElements.get(name)) return
  customElements.define(
    name,
    class extends HTMLElement {
      #isReady = false
      connectedCallback(): void {
        if (this.#isReady) return
        this.#isReady = true
        connect(this)
      }
    },
  )
}
