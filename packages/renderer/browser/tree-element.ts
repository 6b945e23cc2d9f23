import { defineElement, makeButton, makeElement } from './make-element.ts'

/** Lets a reader open and fold a complete tree, and move in it with the arrow keys. */
export function defineTree(): void {
  defineElement('tb-tree', (element) => {
    const folds = [...element.querySelectorAll('details')]
    element.addEventListener('keydown', walk)
    if (folds.length < 2) return
    const bar = makeElement('div', { className: 'tb-bar' })
    const setAll = (isOpen: boolean): void => folds.forEach((fold) => (fold.open = isOpen))
    bar.append(
      makeButton('Expand all', () => setAll(true)),
      makeButton('Collapse all', () => setAll(false)),
    )
    element.prepend(bar)
  })
}

function walk(event: KeyboardEvent): void {
  const { target, currentTarget, key } = event
  if (!(target instanceof HTMLElement) || target.tagName !== 'SUMMARY') return
  if (!(currentTarget instanceof HTMLElement)) return
  const fold = target.parentElement
  if (!(fold instanceof HTMLDetailsElement)) return
  const visible = [...currentTarget.querySelectorAll('summary')].filter((each) =>
    each.checkVisibility(),
  )
  const index = visible.indexOf(target)
  if (key === 'ArrowDown') visible[index + 1]?.focus()
  else if (key === 'ArrowUp') visible[index - 1]?.focus()
  else if (key === 'ArrowRight') fold.open = true
  else if (key === 'ArrowLeft' && fold.open) fold.open = false
  else if (key === 'ArrowLeft')
    fold.parentElement?.closest('details')?.querySelector('summary')?.focus()
  else return
  event.preventDefault()
}
