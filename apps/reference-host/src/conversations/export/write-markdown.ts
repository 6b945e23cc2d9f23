import type { HistoryEntry } from '@toolblocks/conversation-store'
import { codeFence, formatBlocks, formatResult, type FormatOptions } from '@toolblocks/formatter'
import { codeSpan } from './code-span.ts'
import { describeEvent, type EventPart } from '../show/describe-event.ts'
import { describeMinute } from '../show/describe-time.ts'

/**
 * Writes a conversation as Markdown: headings are the host's, and all that was said, called and answered is quoted below them, so
 * that no text of it can pass for a heading.
 */
export function* writeMarkdown(
  id: string,
  entries: Iterable<HistoryEntry>,
  options: FormatOptions,
): Generator<string> {
  yield `# Conversation ${codeSpan(id)}\n`
  let last = 0
  for (const entry of entries) {
    if (entry.turn > last) yield `\n## Turn ${entry.turn}, ${describeMinute(entry.at)} UTC\n`
    last = Math.max(last, entry.turn)
    if (entry.event.type !== 'turn_start') yield writeEntry(entry, options)
  }
}

function writeEntry({ event }: HistoryEntry, options: FormatOptions): string {
  const { title, name, facts, parts } = describeEvent(event)
  const words = [name, ...facts].filter((word) => word !== undefined)
  const heading = [title, ...words.map(codeSpan)].filter((word) => word !== '').join(' ')
  const texts = parts.map((part) => writePart(part, options)).filter((text) => text !== '')
  return [`\n### ${heading}\n`, ...texts.map((text) => `\n${quote(text)}\n`)].join('')
}

function writePart(part: EventPart, options: FormatOptions): string {
  switch (part.kind) {
    case 'blocks':
      return formatBlocks(part.content, options)
    case 'result':
      return formatResult(part.result, options)
    case 'values':
      return codeFence(JSON.stringify(part.values, null, 2), 'json')
  }
}

/** Whatever a text leaves open ends with its quotation. */
function quote(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}
