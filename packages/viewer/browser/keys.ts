import type { Timeline } from './timeline.ts'

/** Lets a reader move between events and to the search with single keys. */
export function connectKeys(timeline: Timeline | undefined): void {
  document.addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event
    const isTyping = target instanceof Element && target.closest('input,textarea,select') !== null
    if (isTyping || ctrlKey || metaKey || altKey) return
    if (key === '/') document.querySelector<HTMLElement>('.tb-nav input')?.focus()
    else if (key === 'j') step(1)
    else if (key === 'k') step(-1)
    else if (key === 'o') toggle()
    else if (key === 'g') timeline?.goTo(1)
    else if (key === 'G') timeline?.goTo(Infinity)
    else return
    event.preventDefault()
  })
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
  const at = all.findIndex((each) => each === focused)
  const visible = all.findIndex((each) => each.getBoundingClientRect().bottom > TOP)
  const next = all[at === -1 ? visible : at + by]
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'nearest' })
}
