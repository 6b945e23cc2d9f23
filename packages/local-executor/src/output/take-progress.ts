import { type Progress } from '@toolblocks/protocol'
import { readProgressLine } from '@toolblocks/protocol/internal'

/** Reads progress reports from standard error. */
export interface ProgressReader {
  write(chunk: Uint8Array): void
  /** Passes on the last line even if it has no line end. */
  end(): void
}

/** The maximum length of a report's line, in bytes. A longer line is text. */
const LONGEST = 4096
const LINE_FEED = 10
const BRACE = 123

/**
 * Separates progress reports, which are lines of JSON, from all other text on standard error. Only lines that begin with a brace are held until
 * they are complete.
 */
export function takeProgress(
  onProgress: (progress: Progress) => void,
  onText: (chunk: Uint8Array) => void,
): ProgressReader {
  let isAtStart = true
  let held: Uint8Array[] | undefined
  let size = 0

  function release(): void {
    const whole = held
    held = undefined
    size = 0
    if (whole) onText(Buffer.concat(whole))
  }

  function holdPart(part: Uint8Array, isWhole: boolean): void {
    held = [...(held ?? []), part]
    size += part.length
    if (size > LONGEST) return release()
    if (!isWhole) return
    const progress = readProgressLine(Buffer.concat(held).toString('utf8').trim())
    if (progress === undefined) return release()
    held = undefined
    size = 0
    onProgress(progress)
  }

  function take(line: Uint8Array, isWhole: boolean): void {
    if (line.length === 0) return
    if (held || (isAtStart && line[0] === BRACE)) holdPart(line, isWhole)
    else onText(line)
    isAtStart = isWhole
  }

  return {
    write: (chunk) => {
      let start = 0
      for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
        take(chunk.subarray(start, end + 1), true)
        start = end + 1
      }
      take(chunk.subarray(start), false)
    },
    end: release,
  }
}
