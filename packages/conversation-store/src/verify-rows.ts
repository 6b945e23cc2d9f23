import type { Problem } from '@toolblocks/protocol'
import { equalHash, hash, linkOf, type EventRow, type Head } from './rows/event-row.ts'

/** What is wrong with one row, seen from the row before it; `path` is its `seq`. */
export function verifyRow(previous: Head, row: EventRow): Problem[] {
  const at = { path: `/${row.seq}`, code: 'damaged-event' }
  const problems: Problem[] = []
  if (row.seq !== previous.seq + 1)
    problems.push({
      ...at,
      message: `${row.seq - previous.seq - 1} events before event ${row.seq} are missing`,
    })
  if (!hasItsBytes(row))
    problems.push({
      ...at,
      message: `the bytes of event ${row.seq} are not those that were written`,
    })
  else if (!equalHash(row.chain, linkOf(previous.chain, row.at, row.sha256)))
    problems.push({ ...at, message: `event ${row.seq} does not follow the event before it` })
  return problems
}

/** Whether a row's bytes have the hash they were written with. */
export function hasItsBytes({ bytes, sha256 }: EventRow): boolean {
  return equalHash(hash(bytes), sha256)
}

/** What is wrong with the end of a conversation: `last` is the last row there is, `head` the last there should be. */
export function verifyHead(last: Head, head: Head): Problem[] {
  if (last.seq === head.seq && equalHash(last.chain, head.chain)) return []
  const message = `the conversation ends with event ${last.seq}; event ${head.seq} was the last that was written`
  return [{ path: `/${head.seq}`, message, code: 'damaged-event' }]
}
