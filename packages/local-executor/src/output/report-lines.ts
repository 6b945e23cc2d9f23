import type { Progress } from '@toolblocks/protocol'

/** Tells the last line of what is written, while it is written. */
export interface LineReporter {
  write(chunk: Uint8Array): void
  /** Tells this instead of the newest line. */
  tell(progress: Progress): void
  /** From now on nothing is told. */
  end(): void
}

/** Characters of a line that are told. */
const MAX_LENGTH = 500
/** Nobody reads faster than this, in milliseconds. */
const PACE_MS = 100

/** Tells lines as they become whole, the newest one at most every tenth of a second; a carriage return ends a line, too. */
export function reportLines(report: (progress: Progress) => void): LineReporter {
  const decoder = new TextDecoder()
  let rest = ''
  let newest: Progress | undefined
  let timer: NodeJS.Timeout | undefined

  function tellNewest(): void {
    timer = undefined
    if (newest === undefined) return
    report(newest)
    newest = undefined
    timer = setTimeout(tellNewest, PACE_MS)
  }

  function tell(progress: Progress): void {
    newest = progress
    if (timer === undefined) tellNewest()
  }

  return {
    write: (chunk) => {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split(/[\r\n]+/)
      rest = (lines.pop() ?? '').slice(0, MAX_LENGTH)
      const line = lines.findLast((each) => each.trim() !== '')
      if (line !== undefined) tell({ message: line.slice(0, MAX_LENGTH) })
    },
    tell,
    end: () => clearTimeout(timer),
  }
}
