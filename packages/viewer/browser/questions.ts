import { fetchPart } from './fill-chunk.ts'

/** Updates the parts of a page that show questions, whenever other questions are open. `refresh` updates what else shows them. */
export function followQuestions(source: EventSource, refresh?: () => void): void {
  source.addEventListener('questions', ({ data }: MessageEvent<string>) => {
    const open: unknown = JSON.parse(data)
    if (typeof open !== 'object' || open === null) return
    const count = 'count' in open ? Number(open.count) : 0
    const revision = 'revision' in open ? String(open.revision) : ''
    if (document.body.dataset['open'] === revision) return
    document.body.dataset['open'] = revision
    const counter = document.getElementById('tb-open')
    if (counter) counter.textContent = count > 0 ? ` (${count})` : ''
    for (const part of document.querySelectorAll<HTMLElement>('[data-part]')) void updatePart(part)
    refresh?.()
  })
}

/** Requests a part again. A link in it that has the focus keeps it. What a person has typed is elsewhere in the page. */
export async function updatePart(part: HTMLElement): Promise<void> {
  const content = await fetchPart(part.dataset['part'] ?? '').catch(() => undefined)
  if (!content) return
  const focused = part.contains(document.activeElement)
    ? document.activeElement?.getAttribute('href')
    : undefined
  const state = content.querySelector<HTMLElement>('[data-state]')?.dataset['state']
  if (
    state !== undefined &&
    state === part.querySelector<HTMLElement>('[data-state]')?.dataset['state']
  )
    return
  part.replaceChildren(content)
  if (focused !== undefined && focused !== null)
    for (const link of part.querySelectorAll('a'))
      if (link.getAttribute('href') === focused) link.focus()
  if (state !== undefined && state !== 'open')
    for (const button of document.querySelectorAll<HTMLButtonElement>('.tb-form button'))
      button.disabled = true
}
