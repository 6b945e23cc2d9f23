import { basename } from 'node:path'
import { field, isJsonObject, type JsonObject } from '@toolblocks/protocol'
import { endTally, startTally } from '../counts.ts'
import type { DatedImport } from '../imported-event.ts'
import { importProblem } from '../import-problem.ts'
import type { ReadConversation } from '../read-conversation.ts'
import { readTime } from '../read-time.ts'
import type { SplitSource } from '../sources/source.ts'
import { countOwn, ownEvent } from './own-event.ts'

/** What `toolblocks conversations export --output jsonl` writes: one event a line. */
export function isExport({ document }: SplitSource): boolean {
  const { shape, records } = document
  return (
    shape === 'lines' &&
    records.length > 0 &&
    records.slice(0, 5).every(({ value }) => {
      const isKept =
        isJsonObject(field(value, 'event')) || typeof field(value, 'bytes') === 'string'
      return typeof field(value, 'seq') === 'number' && isKept
    })
  )
}

/** The events as they were, with their times and the originals they had; the conversation is called like the file. */
export function readExport({
  path,
  document,
  modifiedAt,
}: SplitSource): readonly ReadConversation[] {
  const tally = startTally()
  const problems = [...document.problems]
  const events: DatedImport[] = []
  for (const [index, { value }] of document.records.entries()) {
    const event = ownEvent(field(value, 'event'))
    if (event) {
      const at = readTime(field(value, 'at')) ?? modifiedAt
      events.push({ event, at, ...originalOf(value) })
      if (isJsonObject(event)) countOwn(event, tally)
    } else {
      const message = 'the line has no event that can be read; it was damaged when it was exported'
      problems.push(importProblem(index, 'odd-record', message))
    }
  }
  return [
    {
      source: path,
      format: 'toolblocks',
      id: basename(path).replace(/\.[^.]+$/, ''),
      events,
      before: endTally(tally),
      bytes: events.reduce((sum, { original }) => sum + (original?.length ?? 0), 0),
      problems,
    },
  ]
}

function originalOf(line: JsonObject): { original?: Uint8Array } {
  const original = field(line, 'original')
  return typeof original === 'string' ? { original: Buffer.from(original, 'base64') } : {}
}
