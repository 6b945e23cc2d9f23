/** Tells the last line of what is written, while it is written. */
export interface LineReporter {
  write(chunk: Uint8Array): void
  /** From now on nothing is told. */
  end(): void
}

/** Characters of a line that are told. */
const MAX_LENGTH = 500
/** Nobody reads faster than this, in milliseconds. */
const PACE_MS = 100

/** Tells lines as they become whole, the newest one at most every tenth of a second; a carriage return ends a line, too. */
export function reportLines(report: (line: string) => void): LineReporter {
  const decoder = new TextDecoder()
  let rest = ''
  let newest: string | undefined
  let timer: NodeJS.Timeout | undefined

  function tell(): void {
    timer = undefined
    if (newest === undefined) return
    report(newest)
    newest = undefined
    timer = setTimeout(tell, PACE_MS)
  }

  return {
    write: (chunk) => {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split(/[\r\n]+/)
      rest = (lines.pop() ?? '').slice(0, MAX_LENGTH)
      const line = lines.findLast((each) => each.trim() !== '')
      if (line === undefined) return
      newest = line.slice(0, MAX_LENGTH)
      if (timer === undefined) tell()
    },
    end: () => clearTimeout(timer),
  }
}
