import { fetchPart } from './fill-chunk.ts'

/** The list of turns beside the conversation. */
export interface Outline {
  /** Marks the turn that is being read. */
  mark(): void
  /** Fetches new turns. */
  refresh(): Promise<void>
}

/** Below the header of the page. */
const TOP = 90
/** Widths at which the turns are beside the conversation. */
const WIDE = '(min-width: 64rem)'

/** Opens turns without loading another page, and marks the current one. */
export function connectOutline(
  root: HTMLDetailsElement,
  { query, goTo }: { query: string; goTo: (seq: number) => void },
): Outline {
  const list = root.querySelector('nav')
  root.open = matchMedia(WIDE).matches
  // On a phone the list is above the page. It shows the current turn, and a click beside it closes it.
  root.addEventListener('toggle', mark)
  document.addEventListener('click', ({ target }) => {
    if (!matchMedia(WIDE).matches && target instanceof Node && !root.contains(target))
      root.open = false
  })
  const places = root.closest<HTMLElement>('.tb-places') ?? root
  places.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const seq = link?.dataset['seq']
    if (seq === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (!matchMedia(WIDE).matches) root.open = false
    goTo(Number(seq))
  })
  let isWaiting = false
  /** The turn that the list was scrolled to. */
  let scrolledTo: HTMLElement | undefined
  addEventListener(
    'scroll',
    () => {
      if (isWaiting) return
      isWaiting = true
      requestAnimationFrame(() => {
        isWaiting = false
        mark()
      })
    },
    { passive: true },
  )

  function mark(): void {
    const column = document.querySelector('.tb-column')
    const left = column?.getBoundingClientRect().left ?? 0
    // Between two events is a gap.
    const seen = [TOP, TOP + 30, TOP + 60]
      .map((top) => document.elementFromPoint(left + 20, top)?.closest('.tb-event'))
      .find((event) => event)
    const seq = Number(seen?.id.slice(1))
    if (!(seq > 0)) return
    const links = [...root.querySelectorAll<HTMLElement>('a[data-seq]')]
    const current = links.findLast((link) => Number(link.dataset['seq']) <= seq)
    for (const link of root.querySelectorAll('[aria-current]'))
      if (link !== current) link.removeAttribute('aria-current')
    if (!current || (current.hasAttribute('aria-current') && current === scrolledTo)) return
    current.setAttribute('aria-current', 'true')
    if (!root.open) return
    scrolledTo = current
    const scroller = matchMedia(WIDE).matches ? root : list
    if (scroller && scroller.scrollHeight > scroller.clientHeight) {
      const offset = current.getBoundingClientRect().top - scroller.getBoundingClientRect().top
      scroller.scrollTop += offset - scroller.clientHeight / 2
    }
  }

  mark()
  return {
    mark,
    refresh: async () => {
      const part = await fetchPart(`outline?${query}`).catch(() => undefined)
      if (part) list?.replaceChildren(part)
      mark()
    },
  }
}
