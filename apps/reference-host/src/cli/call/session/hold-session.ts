import type { ToolResult } from '@toolblocks/protocol'
import { type LiveSession, showInteractions } from './open-live-call.ts'
import type { TypedLines } from './read-lines.ts'

/** The time between two reads of new output while no person types, in milliseconds. */
const POLL_MS = 500

/** The connections of a session to the terminal. */
interface SessionPorts {
  lines: TypedLines
  /** What the tool shows: messages one after the other, or a screen that changes. */
  shows: 'messages' | 'screen'
  show(result: ToolResult): void
  /** Shows a notice that does not come from the tool. */
  note(text: string): void
  signal: AbortSignal
}

/** Runs a call in a session with a person: every line is applied, and each result is shown. Ends with the call, Ctrl-D or Ctrl-C. */
export async function holdSession(
  live: LiveSession,
  { lines, shows, show, note, signal }: SessionPorts,
): Promise<{ last: ToolResult; cancelled: boolean }> {
  let seen: ToolResult = { content: [], isError: false }
  let hasTyped = false
  const started = await live.start()
  // A program that has drawn nothing yet will draw soon.
  const first = live.hasStopped() ? (findNewContent(started) ?? started) : findNewContent(started)
  let last = await showInteractions(live, started, (result) => {
    if (result !== started) return showNewContent(result)
    if (first) show(first)
    seen = started
  })
  if (!live.hasStopped()) note('Each line you type goes to the tool. Ctrl-D ends the call.')

  function showNewContent(result: ToolResult): void {
    // No output is not worth a notice.
    if (result.content.length === 0) return
    const news = findNewContent(result)
    seen = result
    hasTyped = false
    if (news) lines.above(() => show(news))
  }

  function findNewContent(result: ToolResult): ToolResult | undefined {
    switch (shows) {
      case 'screen':
        return getNewScreenContent(seen, result)
      case 'messages':
        return !hasTyped && getWords(result) === getWords(seen) ? undefined : result
    }
  }

  try {
    while (!live.hasStopped()) {
      const typed = await lines.next(POLL_MS)
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
      if (acted.ok) last = await showInteractions(live, acted.result, showNewContent)
      else lines.above(() => note(acted.message))
    }
    lines.close()
    note('The tool has ended.')
    return { last, cancelled: false }
  } finally {
    lines.close()
  }
}

function getWords({ content }: ToolResult): string {
  return JSON.stringify(content)
}

/** Returns the part of a screen that was not shown before, or `undefined` if nothing is new. Other blocks of the result are kept. */
export function getNewScreenContent(before: ToolResult, now: ToolResult): ToolResult | undefined {
  const [screen, ...others] = now.content
  const [oldScreen] = before.content
  if (screen?.type !== 'text') return now
  const text = getNewRows(oldScreen?.type === 'text' ? oldScreen.text : '', screen.text)
  const content = text === '' ? others : [{ ...screen, text }, ...others]
  return content.length === 0 ? undefined : { ...now, content }
}

/**
 * Returns the rows after those that did not change, also if these have scrolled up. Returns all rows if the screen was cleared or redrawn: a change
 * in its middle cannot be understood without the other rows.
 */
export function getNewRows(before: string, now: string): string {
  const oldRows = before.split('\n')
  const rows = now.split('\n')
  if (before === '') return now
  for (let gone = 0; gone < oldRows.length; gone++) {
    const stayed = oldRows.slice(gone)
    const same = countSame(stayed, rows)
    const isEnd = same === stayed.length
    // The last row may continue after a prompt, and may be redrawn, such as a percentage.
    const goesOn = same === stayed.length - 1 && (same > 0 || rows[0]?.startsWith(stayed[0] ?? ''))
    if (isEnd || goesOn) return rows.slice(same).join('\n')
  }
  return now
}

function countSame(one: readonly string[], other: readonly string[]): number {
  const different = one.findIndex((row, index) => row !== other[index])
  return different === -1 ? one.length : different
}
