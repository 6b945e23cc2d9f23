import { fillChunk, rememberOpen } from './fill-chunk.ts'
import { findWords } from '../src/reading/split-at-words.ts'
import { markWords, showMark } from './mark-words.ts'
import { connectOutline } from './outline.ts'
import { followQuestions } from './questions.ts'
import { followSources } from './sources.ts'

/** A conversation as one long page, of which only the part near the reader is loaded. */
export interface Timeline {
  /** Shows an event; `Infinity`: the last one. */
  goTo(seq: number): void
  /** The id of the conversation. */
  id: string
  /** Whether all events are in the page, so that the browser finds their words. */
  isWhole(): boolean
}

/** Estimated height of an event before it was seen. */
const EVENT_HEIGHT = 35
/** With at most this many chunks none is emptied: they are small, and a printed page has them. */
const FEW = 5
/** How far beyond the visible part chunks are filled. */
const MARGIN = '1200px 0px'

/** Turns a page of one chunk into a page of all chunks, and lets it grow with the conversation. */
export function connectTimeline(root: HTMLElement): Timeline {
  const { query = '', last: lastText = '0', size: sizeText = '100' } = root.dataset
  const size = Number(sizeText)
  let last = Number(lastText)
  /** The words of the search that led here. */
  const terms = findWords(new URLSearchParams(location.search).get('q') ?? '')
  const chunks: HTMLElement[] = []
  const filling = new Map<HTMLElement, { controller: AbortController; done: Promise<void> }>()
  const near = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        if (target instanceof HTMLElement) void (isIntersecting ? fill(target) : empty(target))
    },
    { rootMargin: MARGIN },
  )

  async function fill(chunk: HTMLElement, isAnew = false): Promise<void> {
    const running = filling.get(chunk)
    if (running) return await running.done
    if (chunk.dataset['filled'] !== undefined && !isAnew) return
    const controller = new AbortController()
    const address = `events?${query}&from=${chunk.dataset['from']}`
    const done = fillChunk(chunk, address, controller.signal).finally(() => filling.delete(chunk))
    filling.set(chunk, { controller, done })
    await done
    markWords(chunk, terms)
  }

  function empty(chunk: HTMLElement): void {
    if (chunks.length <= FEW) return
    filling.get(chunk)?.controller.abort()
    if (chunk.dataset['filled'] === undefined || chunk.contains(document.activeElement)) return
    chunk.style.height = `${chunk.offsetHeight}px`
    rememberOpen(chunk)
    delete chunk.dataset['filled']
    chunk.replaceChildren()
  }

  function grow(): void {
    while (chunks.length * size < last) {
      const from = chunks.length * size + 1
      const there = root.querySelector<HTMLElement>(`.tb-chunk[data-from="${from}"]`)
      const chunk = there ?? document.createElement('section')
      chunk.className = 'tb-chunk'
      chunk.dataset['from'] = String(from)
      if (there) chunk.dataset['filled'] = ''
      else chunk.style.height = `${Math.min(size, last - from + 1) * EVENT_HEIGHT}px`
      chunks.push(chunk)
    }
    const missing = chunks.filter((chunk) => chunk.parentElement !== root)
    const first = root.querySelector<HTMLElement>('.tb-chunk')
    const start = Number(first?.dataset['from'] ?? 0)
    first?.before(...missing.filter((chunk) => Number(chunk.dataset['from']) < start))
    root.append(...missing.filter((chunk) => Number(chunk.dataset['from']) >= start))
    for (const chunk of missing) near.observe(chunk)
    if (first) near.observe(first)
  }

  /** Shows the card of an event; with `open`, completely. */
  async function goTo(seq: number, how: 'show' | 'open' = 'show'): Promise<void> {
    const target = Math.min(Math.max(1, seq), last)
    const index = Math.floor((target - 1) / size)
    const chunk = chunks[index]
    if (!chunk) return
    // The chunk above is visible too, and would move the event if it were filled later.
    for (const each of [chunks[index - 1], chunk]) {
      if (each?.dataset['filled'] !== undefined) continue
      chunk.scrollIntoView()
      if (each) await fill(each)
    }
    const element = document.getElementById(`e${target}`)
    const elsewhere = Number(element?.dataset['card'])
    if (elsewhere > 0 && elsewhere !== target) return await goTo(elsewhere, how)
    const event = element?.closest<HTMLElement>('.tb-event')
    const fold = event?.querySelector('details')
    if (fold && how === 'open') fold.open = true
    const around = event?.closest<HTMLDetailsElement>('.tb-many')
    if (around) around.open = true
    for (const here of root.querySelectorAll('.tb-here')) here.classList.remove('tb-here')
    event?.classList.add('tb-here')
    event?.focus({ preventScroll: true })
    event?.scrollIntoView()
    if (event && how === 'open') showMark(event)?.scrollIntoView({ block: 'nearest' })
    outline?.mark()
  }

  function follow(): void {
    const source = new EventSource(`follow?${query}&after=${last}`)
    const live = document.getElementById('tb-live')
    const count = document.getElementById('tb-count')
    followQuestions(source, () => {
      const waits = chunks.filter((chunk) => chunk.querySelector('.tb-is-waiting,.tb-is-none'))
      for (const chunk of waits) void refill(chunk)
    })
    // The numbers of events may differ from those of the beginning.
    followSources(source, () => {
      void refillAll()
      updateTotals()
    })
    source.addEventListener('open', () => live && (live.textContent = live.dataset['on'] ?? ''))
    source.addEventListener('error', () => live && (live.textContent = live.dataset['off'] ?? ''))
    // None of its events is one that the page has.
    source.addEventListener('begun-again', () => location.reload())
    source.addEventListener('message', ({ data }) => {
      const before = last
      last = Math.max(last, Number(data))
      if (count) count.textContent = last.toLocaleString('en')
      const isAtEnd = innerHeight + scrollY >= document.body.scrollHeight - 80
      const open = chunks[Math.floor(Math.max(0, before - 1) / size)]
      grow()
      updateTotals()
      void refill(open).then(() => isAtEnd && scrollTo(0, document.body.scrollHeight))
    })
  }

  let totals = { isAsked: false, isStale: false }
  let isStale = false
  /** Fills the last chunk again. Events that arrive meanwhile are in the next update. */
  async function refill(chunk: HTMLElement | undefined): Promise<void> {
    if (!chunk || chunk.dataset['filled'] === undefined) return
    isStale = true
    if (filling.has(chunk)) return
    while (isStale) {
      isStale = false
      await fill(chunk, true)
    }
  }

  async function refillAll(): Promise<void> {
    const filled = chunks.filter(({ dataset }) => dataset['filled'] !== undefined)
    await Promise.all(filled.map(async (chunk) => await fill(chunk, true)))
  }

  function updateTotals(): void {
    if (totals.isAsked) totals.isStale = true
    else void showTotals()
  }

  /** The number of rewinds when the chunks on the page were rendered. */
  let rewinds = Number(root.dataset['rewinds'] ?? 0)
  /** Shows the totals. A new rewind undoes events in any chunk, so all loaded chunks are rendered again. */
  async function showTotals(): Promise<void> {
    totals = { isAsked: true, isStale: true }
    while (totals.isStale) {
      totals.isStale = false
      const answer = await fetch(`totals?${query}`).catch(() => undefined)
      if (!answer?.ok) break
      const element = document.getElementById('tb-totals')
      if (element) element.textContent = await answer.text()
      await outline?.refresh()
      const known = rewinds
      rewinds = Number(answer.headers.get('tb-rewinds') ?? 0)
      if (rewinds !== known) await refillAll()
    }
    totals.isAsked = false
  }

  const go = (): void => {
    const [, seq] = /^#e(\d{1,15})$/.exec(location.hash) ?? []
    const target = seq ?? new URLSearchParams(location.search).get('at')
    if (target !== null) void goTo(Number(target), 'open')
  }
  root.classList.add('tb-ready')
  document.body.classList.add('tb-ready')
  grow()
  const turns = document.querySelector<HTMLDetailsElement>('.tb-outline')
  const outline = turns
    ? connectOutline(turns, { query, goTo: (seq) => void goTo(seq) })
    : undefined
  if (root.dataset['statistics'] === 'begun') void showTotals()
  if (root.dataset['follow'] !== undefined) follow()
  addEventListener('hashchange', go)
  markWords(root, terms)
  go()
  return {
    goTo: (seq) => void goTo(seq),
    id: new URLSearchParams(query).get('id') ?? '',
    isWhole: () => chunks.every(({ dataset }) => dataset['filled'] !== undefined),
  }
}
