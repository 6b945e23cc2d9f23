import type { ToolResult } from '@toolblocks/protocol'
import { newOnScreen } from './new-on-screen.ts'
import type { LiveUse } from './open-live-call.ts'
import type { TypedLines } from './read-lines.ts'
import { showInteractions } from './show-interactions.ts'

/** How often what runs is asked for news while nobody types, in milliseconds. */
const LOOK_MS = 500

/** What a session shows, and how it ended. */
export interface SessionPorts {
  lines: TypedLines
  /** What the tool shows: one message after the other, or a screen, again and again. */
  shows: 'messages' | 'screen'
  show(result: ToolResult): void
  /** Something the person should know, which no tool said. */
  note(text: string): void
  signal: AbortSignal
}

/** Holds a call for a person: every line is applied, and what comes is shown. Ends with the call, Ctrl-D or Ctrl-C. */
export async function holdSession(
  live: LiveUse,
  { lines, shows, show, note, signal }: SessionPorts,
): Promise<{ last: ToolResult; cancelled: boolean }> {
  let seen: ToolResult = { content: [], isError: false }
  let hasTyped = false
  const started = await live.start()
  // A program that has drawn nothing yet is about to.
  const first = live.hasStopped() ? (newsOf(started) ?? started) : newsOf(started)
  let last = await showInteractions(live, started, (result) => {
    if (result !== started) return showNews(result)
    if (first) show(first)
    seen = started
  })
  if (!live.hasStopped()) note('Each line you type goes to the tool; Ctrl-D ends the call.')

  function showNews(result: ToolResult): void {
    // Silence is no news.
    if (result.content.length === 0) return
    const news = newsOf(result)
    seen = result
    hasTyped = false
    if (news) lines.above(() => show(news))
  }

  function newsOf(result: ToolResult): ToolResult | undefined {
    switch (shows) {
      case 'screen':
        return newOnScreen(seen, result)
      case 'messages':
        return !hasTyped && wordsOf(result) === wordsOf(seen) ? undefined : result
    }
  }

  try {
    while (!live.hasStopped()) {
      const typed = await lines.next(LOOK_MS)
      const isOver = typed.kind === 'end' || typed.kind === 'cancelled' || signal.aborted
      if (isOver) {
        const ended = await live.act({ action: 'abort' })
        lines.close()
        note('The call was aborted.')
        return { last: ended.ok ? ended.result : last, cancelled: typed.kind !== 'end' }
      }
      const step =
        typed.kind === 'line'
          ? ({ action: 'apply', text: typed.text } as const)
          : ({ action: 'fetch' } as const)
      const acted = await live.act(step)
      if (typed.kind === 'line') hasTyped = true
      if (acted.ok) last = await showInteractions(live, acted.result, showNews)
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
