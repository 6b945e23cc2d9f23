import type { Timeline } from './timeline.ts'

/** Lets a reader move between events and to the search with single keys. */
export function connectKeys(timeline: Timeline | undefined): void {
  document.addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (key === 'f' && (ctrlKey || metaKey) && !altKey && !shiftKey && timeline) {
      if (openSearch(timeline)) event.preventDefault()
      return
    }
    const isTyping = target instanceof Element && target.closest('input,textarea,select') !== null
    if (isTyping || ctrlKey || metaKey || altKey) return
    if (key === '/') document.querySelector<HTMLElement>('.tb-nav input[type=search]')?.focus()
    else if (key === 'j') step(1)
    else if (key === 'k') step(-1)
    else if (key === 'o') toggle()
    else if (key === 'g') timeline?.goTo(1)
    else if (key === 'G') timeline?.goTo(Infinity)
    else return
    event.preventDefault()
  })
}

/**
 * Opens the search in the conversation in place of that of the browser, which finds only what is in the page. Returns `false` if everything is in the page, or if the
 * search is open already.
 */
function openSearch({ id, isWhole }: Timeline): boolean {
  const input = document.querySelector<HTMLInputElement>('.tb-nav input[type=search]')
  if (!input?.form || document.activeElement === input || isWhole()) return false
  if (!input.form.querySelector('[name=in]')) {
    const within = document.createElement('input')
    Object.assign(within, { type: 'hidden', name: 'in', value: id })
    input.form.append(within)
    input.placeholder = 'Search this conversation'
    input.ariaLabel = 'Search this conversation'
    input.title = 'Press the keys again to search the visible part with the browser.'
  }
  input.focus()
  input.select()
  return true
}

/** Opens or folds the current event. */
function toggle(): void {
  const fold = document.activeElement?.closest('.tb-event')?.querySelector('details')
  if (fold) fold.open = !fold.open
}

/** Below the header of the page. */
const TOP = 60

function step(by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>('.tb-event,.tb-list a')].filter((each) =>
    each.checkVisibility(),
  )
  const focused = document.activeElement?.closest('.tb-event,.tb-list a')
  const index = all.findIndex((each) => each === focused)
  const visible = all.findIndex((each) => each.getBoundingClientRect().bottom > TOP)
  const next = all[index === -1 ? visible : index + by]
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'nearest' })
}
