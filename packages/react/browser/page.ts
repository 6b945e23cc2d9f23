import { loadContentReaders } from '@toolblocks/renderer/readers'
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

const report = (...values: unknown[]): void => void globalThis.window.sent.push(values)
const scene: Scene = JSON.parse(document.querySelector('#scene')?.textContent ?? '{}')
const place = document.querySelector('#root')
if (place) {
  const root = hydrateRoot(place, createScene(scene, { report, readers }), {
    onRecoverableError: reportError,
  })
  globalThis.window.show = (next) => root.render(createScene(next, { report, readers }))
}
document.documentElement.dataset['ready'] = 'true'
