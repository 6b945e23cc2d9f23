import { stripVTControlCharacters } from 'node:util'
import type { Progress } from '@toolblocks/protocol'
import { toLastState } from '@toolblocks/protocol/internal'

/** Reports the latest line of a text while it is written. */
export interface LineReporter {
  write(chunk: Uint8Array): void
  /** Reports this instead of the latest line. */
  tell(progress: Progress): void
  /** Stops all reports. */
  end(): void
}

/** The maximum length of a reported line, in characters. */
const MAX_LENGTH = 500
/** The minimum time between reports, in milliseconds: people do not read faster. */
const PACE_MS = 100

/**
 * Reports complete lines, at most one every tenth of a second, always the latest. A carriage return also ends a line. A line is reported as a terminal
 * shows it in the end, without colours and other control characters.
 */
export function reportLines(report: (progress: Progress) => void): LineReporter {
  const decoder = new TextDecoder()
  let rest = ''
  let newest: Progress | undefined
  let timer: NodeJS.Timeout | undefined

  function reportNewest(): void {
    timer = undefined
    if (newest === undefined) return
    report(newest)
    newest = undefined
    timer = setTimeout(reportNewest, PACE_MS)
  }

  function takeProgress(progress: Progress): void {
    newest = progress
    if (timer === undefined) reportNewest()
  }

  return {
    write: (chunk) => {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split(/[\r\n]+/)
      rest = (lines.pop() ?? '').slice(0, MAX_LENGTH)
      const line = lines.findLast((each) => toPlainLine(each) !== '')
      if (line !== undefined) takeProgress({ message: toPlainLine(line).slice(0, MAX_LENGTH) })
    },
    tell: takeProgress,
    end: () => clearTimeout(timer),
  }
}

function toPlainLine(line: string): string {
  return stripVTControlCharacters(toLastState(line).text)
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
}
