import { loadContentReaders } from '@toolblocks/renderer/readers'
import { createElement as h, type ReactNode, useEffect, useLayoutEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { createScene, type Scene } from './scene.ts'

declare global {
  interface Window {
    /** What a person sent, in order. */
    sent: unknown[][]
    /** Shows other properties of the same component. `press`: a button that is pressed before any other effect of the rendering. */
    show(scene: Scene, press?: string): void
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
function Ready({ children, press }: { children: ReactNode; press?: string }): ReactNode {
  useEffect(() => {
    document.documentElement.dataset['ready'] = 'true'
  }, [])
  useLayoutEffect(() => {
    if (press !== undefined) document.querySelector<HTMLElement>(press)?.click()
  }, [press])
  return children
}

const report = (...values: unknown[]): void => void globalThis.window.sent.push(values)
const scene: Scene = JSON.parse(document.querySelector('#scene')?.textContent ?? '{}')
const create = (currentScene: Scene, press?: string): ReactNode =>
  h(Ready, {
    ...(press !== undefined && { press }),
    children: createScene(currentScene, { report, readers }),
  })

function hydrate(id: string, currentScene: Scene): (next: Scene, press?: string) => void {
  const container = document.querySelector(`#${id}`)
  if (!container) throw new Error(`the page has no element ${id}`)
  const root = hydrateRoot(container, create(currentScene), { onRecoverableError: reportError })
  return (next, press) => root.render(create(next, press))
}

if (scene.beside) hydrate('beside', scene.beside)
globalThis.window.show = hydrate('root', scene)
