import { Presets, SingleBar } from 'cli-progress'
import type { Terminal } from '../../terminal/terminal.ts'

/** A bar that grows with the bytes that are done. */
export interface ShownBar {
  add(bytes: number): void
  end(): void
}

/** Draws a bar where a person looks, and nothing elsewhere. */
export function showBar({ progress, colors }: Terminal, total: number): ShownBar {
  if (!progress) return { add: () => {}, end: () => {} }
  const bar = new SingleBar(
    {
      stream: progress,
      format: 'Importing {bar} {percentage} %',
      clearOnComplete: true,
      hideCursor: true,
      // What ends the process is the host's.
      gracefulExit: false,
    },
    colors === 'ansi' ? Presets.shades_classic : Presets.legacy,
  )
  bar.start(Math.max(1, total), 0)
  return {
    add: (bytes) => bar.increment(bytes),
    end: () => bar.stop(),
  }
}
