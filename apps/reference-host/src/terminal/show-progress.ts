import spinner from 'yocto-spinner'
import type { Terminal } from './terminal.ts'

/** A call that is faster than this needs no progress, in milliseconds. */
const PATIENCE = 500

/** Shows that something runs, and for how long, once it takes long enough to wonder; returns what ends it. */
export function showProgress(terminal: Terminal, what: string): () => void {
  const { progress } = terminal
  if (!progress) return () => {}
  const start = performance.now()
  const line = spinner({ text: what, stream: progress })
  const seconds = (): string => `${what} ${Math.round((performance.now() - start) / 1000)} s`
  const begin = setTimeout(() => line.start(), PATIENCE)
  const tick = setInterval(() => {
    line.text = seconds()
  }, 1000)
  return () => {
    clearTimeout(begin)
    clearInterval(tick)
    if (line.isSpinning) line.stop()
  }
}
