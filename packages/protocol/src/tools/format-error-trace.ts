import { fenceText } from '../text/fence-text.ts'
import { shortenText, takeCodeUnits } from '../text/characters.ts'
import { readErrorDetails, type ToolResult } from './tool-result.ts'

/** The maximum number of causes, and of their characters (UTF-16 code units) together. */
const MAX_CAUSES = 20
const MAX_LENGTH = 2000

/**
 * Returns the causes of a failure as text for a model, outermost first: at most 20, and 2,000 characters. `undefined` if there are none. `text` is the
 * other text that the model receives: a cause that is part of it is not repeated. Of more causes, the first 20 are compared with it.
 */
export function formatErrorTrace(result: ToolResult, text: string): string | undefined {
  if (!result.isError) return undefined
  const { trace } = readErrorDetails(result)
  // Each search takes time in proportion to the text, so only these are searched.
  const causes = trace
    .slice(0, MAX_CAUSES)
    .map((cause) => takeCodeUnits(cause, MAX_LENGTH).replaceAll(/\s+/g, ' ').trim())
  const missing = causes.filter((cause) => cause !== '' && !text.includes(withoutType(cause)))
  if (missing.length === 0) return undefined
  const lines: string[] = []
  let left = MAX_LENGTH
  for (const cause of missing) {
    if (left <= 0) break
    const line = shortenText(cause, left)
    lines.push(line)
    left -= line.length
  }
  const more = missing.length - lines.length + trace.length - causes.length
  const rest = more === 0 ? '' : `; ${more} more ${more === 1 ? 'was' : 'were'} left out`
  return `[Causes of the error, outermost first${rest}:]\n\n${fenceText(lines.join('\n'))}`
}

/** `Error: the folder is locked` says no more than its message. */
function withoutType(cause: string): string {
  return cause.replace(/^(?:[A-Z]\w*)?(?:Error|Exception): /, '')
}
