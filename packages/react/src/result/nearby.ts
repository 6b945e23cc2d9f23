import { type RefObject, useEffect, useState } from 'react'

/** Where an element is, in relation to what its scroller shows. */
interface Visibility {
  isNear: boolean
  /** The last height in pixels, while the content was there. Absent: it was never there. */
  height?: number
}

/**
 * Whether an element is at most one screen away from what its scroller shows, so that its content is needed, and its last height, so that a
 * placeholder takes the same room. Content with the focus always stays.
 */
export function useNearby(
  element: RefObject<HTMLElement | null>,
  first: Visibility['isNear'],
): Visibility {
  const [visibility, setVisibility] = useState<Visibility>({ isNear: first })
  useEffect(() => {
    const { current } = element
    if (!current || typeof IntersectionObserver === 'undefined') return undefined
    return observe(current, (isNear) => {
      if (!isNear && current.contains(document.activeElement)) return
      const height = current.offsetHeight
      setVisibility((before) =>
        before.isNear === isNear ? before : { isNear, ...(before.isNear && { height }) },
      )
    })
  }, [element])
  return visibility
}

type Report = (isNear: boolean) => void

/** One observer for each scroller: thousands of them would be slow. The key for the window is its document. */
const observers = new WeakMap<
  Element | Document,
  { observer: IntersectionObserver; reports: Map<Element, Report> }
>()

function observe(element: HTMLElement, report: Report): () => void {
  const scroller = findScroller(element)
  const key = scroller ?? element.ownerDocument
  let shared = observers.get(key)
  if (!shared) {
    const reports = new Map<Element, Report>()
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) reports.get(target)?.(isIntersecting)
      },
      { root: scroller, rootMargin: '100% 0px' },
    )
    shared = { observer, reports }
    observers.set(key, shared)
  }
  const { observer, reports } = shared
  reports.set(element, report)
  observer.observe(element)
  return () => {
    reports.delete(element)
    observer.unobserve(element)
  }
}

/** Returns the element that scrolls an element up and down; `null` if the window does. */
function findScroller(element: Element): Element | null {
  const { parentElement } = element
  if (!parentElement) return null
  const { overflowY } = getComputedStyle(parentElement)
  const scrolls = overflowY === 'auto' || overflowY === 'scroll'
  return scrolls && parentElement !== document.body ? parentElement : findScroller(parentElement)
}
