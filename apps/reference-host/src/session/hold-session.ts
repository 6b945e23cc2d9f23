import type { ToolResult } from '@toolblocks/protocol'
import type { LiveUse } from './open-live-call.ts'
import type { TypedLines } from './read-lines.ts'

/** How often what runs is asked for news while nobody types, in milliseconds. */
const LOOK_MS = 500

/** What a session shows, and how it ended. */
export interface SessionPorts {
  lines: TypedLines
  show(result: ToolResult): void
  /** Something the person should know, which no tool said. */
  note(text: string): void
  signal: AbortSignal
}

/** Holds a call for a person: every line is applied, and what comes is shown. Ends with the call, Ctrl-D or Ctrl-C. */
export async function holdSession(
  live: LiveUse,
  { lines, show, note, signal }: SessionPorts,
): Promise<{ last: ToolResult; cancelled: boolean }> {
  let last = await live.start()
  let seen = wordsOf(last)
  // A program that has drawn nothing yet is about to.
  if (last.content.length > 0 || live.hasStopped()) show(last)
  if (!live.hasStopped()) note('Each line you type goes to the tool; Ctrl-D ends the call.')

  function showNews(result: ToolResult): void {
    last = result
    const words = wordsOf(result)
    // A screen that stands still is no news, and neither is silence.
    if (words === seen || result.content.length === 0) return
    seen = words
    lines.above(() => show(result))
  }

  try {
    while (!live.hasStopped()) {
      const typed = await lines.next(LOOK_MS)
      const isOver = typed.type === 'end' || typed.type === 'cancelled' || signal.aborted
      if (isOver) {
        const ended = await live.act({ action: 'abort' })
        lines.close()
        note('The call was aborted.')
        return { last: ended.ok ? ended.result : last, cancelled: typed.type !== 'end' }
      }
      const step =
        typed.type === 'line'
          ? ({ action: 'apply', text: typed.text } as const)
          : ({ action: 'fetch' } as const)
      const acted = await live.act(step)
      if (typed.type === 'line') seen = ''
      if (acted.ok) showNews(acted.result)
      else lines.above(() => note(acted.message))
    }
    lines.close()
    note('The tool has ended.')
    return { last, cancelled: false }
  } finally {
    lines.close()
  }
}

function wordsOf({ content }: ToolResult): string {
  return JSON.stringify(content)
}
