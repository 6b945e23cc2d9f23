/** Makes an element with text in it; no markup is ever read. */
export function makeElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  { text, className }: { text?: string; className?: string } = {},
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  if (text !== undefined) element.textContent = text
  if (className !== undefined) element.className = className
  return element
}

/** A button that does something. */
export function makeButton(
  text: string,
  act: (button: HTMLButtonElement) => void,
): HTMLButtonElement {
  const button = makeElement('button', { text })
  button.type = 'button'
  button.addEventListener('click', () => act(button))
  return button
}

/** Does something to every element of a name, once each, also to those that come later. */
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
