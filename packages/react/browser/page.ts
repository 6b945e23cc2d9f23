import { loadContentReaders } from '@toolblocks/renderer/readers'
import { createElement as h, type ReactNode, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { createScene, type Scene } from './scene.ts'

declare global {
  interface Window {
    /** What a person sent, in order. */
    sent: unknown[][]
    /** Shows other properties of the same component. */
    show(scene: Scene): void
    /** The layout shifts since the page was opened. */
    shifts: number[]
  }
}

const readers = await loadContentReaders()
globalThis.window.sent = []
globalThis.window.shifts = []
new PerformanceObserver((list) => {
  for (const entry of list.getEntries())
    if ('value' in entry) globalThis.window.shifts.push(Number(entry.value))
}).observe({ type: 'layout-shift', buffered: true })

/** Marks the page as ready when React has taken over its elements. */
function Ready({ children }: { children: ReactNode }): ReactNode {
  useEffect(() => {
    document.documentElement.dataset['ready'] = 'true'
  }, [])
  return children
}

const report = (...values: unknown[]): void => void globalThis.window.sent.push(values)
const scene: Scene = JSON.parse(document.querySelector('#scene')?.textContent ?? '{}')
const place = document.querySelector('#root')
if (place) {
  const create = (shown: Scene): ReactNode =>
    h(Ready, null, createScene(shown, { report, readers }))
  const root = hydrateRoot(place, create(scene), { onRecoverableError: reportError })
  globalThis.window.show = (next) => root.render(create(next))
}
