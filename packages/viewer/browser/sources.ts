import { updatePart } from './questions.ts'

/** Updates what a page says about the files that it shows. `refresh` is called when the whole files have been read, after only their beginning. */
export function followSources(source: EventSource, refresh: () => void): void {
  const part = document.querySelector<HTMLElement>('[data-part=sources]')
  if (!part) return
  source.addEventListener('sources', ({ data }: MessageEvent<string>) => {
    void updatePart(part)
    const before = part.dataset['extent']
    part.dataset['extent'] = data
    if (before === 'beginning' && data === 'whole') refresh()
  })
}
