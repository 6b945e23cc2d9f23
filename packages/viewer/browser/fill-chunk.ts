import { getErrorText } from '@toolblocks/protocol/internal'

interface Policy {
  createHTML(text: string): string
}

declare global {
  interface Window {
    trustedTypes?: {
      createPolicy(name: string, rules: { createHTML(text: string): string }): Policy
    }
  }
}

/** Only markup that the server of this page has written becomes markup. All strings in it are encoded. */
const policy: Policy = window.trustedTypes?.createPolicy('toolblocks', {
  createHTML: (text) => text,
}) ?? { createHTML: (text) => text }

/** Requests a part of the page from the server. */
export async function fetchPart(address: string, signal?: AbortSignal): Promise<DocumentFragment> {
  const answer = await fetch(address, signal ? { signal } : {})
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`)
  const template = document.createElement('template')
  template.innerHTML = policy.createHTML(await answer.text())
  return template.content
}

/** Inserts the events of a chunk, open as they were. If they are not available, it says so. */
export async function fillChunk(
  chunk: HTMLElement,
  address: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    const part = await fetchPart(address, signal)
    signal.throwIfAborted()
    rememberOpen(chunk)
    chunk.replaceChildren(part)
    openAgain(chunk)
    chunk.dataset['filled'] = ''
    chunk.style.height = ''
  } catch (error) {
    if (signal.aborted) return
    const reason = getErrorText(error)
    chunk.textContent = `These events cannot be shown: ${reason}`
  }
}

/** What a reader has opened in a chunk: events by their number, and the folds in each by their order. */
const opened = new WeakMap<HTMLElement, ReadonlySet<string>>()

/** Stores what is open in a chunk before its events are removed. */
export function rememberOpen(chunk: HTMLElement): void {
  if (chunk.dataset['filled'] === undefined) return
  opened.set(chunk, new Set(getFolds(chunk).flatMap(([name, fold]) => (fold.open ? [name] : []))))
}

function openAgain(chunk: HTMLElement): void {
  const names = opened.get(chunk)
  if (!names || names.size === 0) return
  for (const [name, fold] of getFolds(chunk)) if (names.has(name)) fold.open = true
}

function getFolds(chunk: HTMLElement): readonly (readonly [string, HTMLDetailsElement])[] {
  return [...chunk.querySelectorAll('details')].map((fold) => {
    const event = fold.closest('.tb-event')
    const index = event ? [...event.querySelectorAll('details')].indexOf(fold) : 'many'
    return [`${(event ?? fold.querySelector('.tb-event'))?.id} ${index}`, fold] as const
  })
}
