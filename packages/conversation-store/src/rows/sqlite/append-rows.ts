import type { DatabaseSync } from 'node:sqlite'
import type { EventBytes } from '../event-row.ts'
import { type AppendPlan, planAppend } from '../plan-append.ts'
import { checkKeys, NEXT_NUMBER } from './layout/event-key.ts'
import { findHead } from './find-head.ts'
import { type KeyedConversation, prepareInsert } from './insert-events.ts'
import type { SqliteBlobs } from './sqlite-blobs.ts'
import type { SqliteStatements } from './sqlite-statements.ts'

/** An append, in the caller's transaction. */
export type AppendRows = (
  conversation: string,
  expected: number,
  events: readonly EventBytes[],
) => { ok: boolean; seq: number }

type Write = Extract<AppendPlan, { kind: 'write' }>

/** An append whose conversation has its new end already. */
type Moved = Write & Pick<KeyedConversation, 'number'>

/** Prepares the appends of one connection. */
export function prepareAppend(
  database: DatabaseSync,
  { statements, blobs }: { statements: SqliteStatements; blobs: SqliteBlobs },
): AppendRows {
  const insert = prepareInsert(database)
  const advance = database.prepare(`
    UPDATE conversations SET seq = ?, chain = ?, updated_at = ?, seal = ?
    WHERE number = ? AND touched = (SELECT max(touched) FROM conversations)`)
  const goOn = database.prepare(`
    UPDATE conversations SET seq = ?, chain = ?, updated_at = ?, seal = ?
    WHERE number = ? AND touched = (SELECT max(touched) FROM conversations)
      AND id = ? AND seq = ? AND chain = ? AND created_at = ? AND updated_at = ? AND seal = ?`)
  const touch = database.prepare(`
    UPDATE conversations SET seq = ?, chain = ?, updated_at = ?, seal = ?,
      touched = (SELECT max(touched) + 1 FROM conversations) WHERE number = ?`)
  const begin = database.prepare(`
    INSERT INTO conversations (number, id, seq, chain, created_at, updated_at, seal, touched)
    VALUES (${NEXT_NUMBER}, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(touched), 0) + 1 FROM conversations))
    RETURNING number`)
  const name = database.prepare(
    'INSERT INTO conversation_numbers (conversation, number) VALUES (?, ?)',
  )
  /** What this connection wrote last. Others may have written since: only the file tells whether it is still there. */
  let latest: (Pick<Write, 'head' | 'seal'> & KeyedConversation) | undefined

  /** Where the conversation goes on from what was written last, one statement finds that out and moves its end. */
  function moveFromLatest(
    conversation: string,
    expected: number,
    events: readonly EventBytes[],
  ): Moved | undefined {
    if (latest?.id !== conversation || latest.head.seq !== expected) return undefined
    const { head: from, seal, number } = latest
    const plan = planAppend(conversation, { ...from, isIntact: true }, { expected, events })
    if (plan.kind !== 'write') return undefined
    const next = [plan.seq, plan.head.chain, plan.head.updatedAt, plan.seal] as const
    const was = [from.seq, from.chain, from.createdAt, from.updatedAt, seal] as const
    const { changes } = goOn.run(...next, number, conversation, ...was)
    return changes === 1 ? { ...plan, number } : undefined
  }

  function moveFromFile(
    conversation: string,
    expected: number,
    events: readonly EventBytes[],
  ): Moved | Exclude<AppendPlan, Write> {
    const { number, ...found } = findHead(statements, conversation)
    const plan = planAppend(conversation, found, { expected, events })
    if (plan.kind !== 'write') return plan
    const { head, seal } = plan
    if (number === undefined) return { ...plan, number: beginConversation(conversation, plan) }
    const next = [head.seq, head.chain, head.updatedAt, seal, number] as const
    if (advance.run(...next).changes === 0) touch.run(...next)
    return { ...plan, number }
  }

  function beginConversation(conversation: string, { head, seal }: Write): number {
    const { seq, chain, createdAt, updatedAt } = head
    const row = begin.get(conversation, seq, chain, createdAt, updatedAt, seal)
    const number = Number(row?.['number'])
    name.run(conversation, number)
    return number
  }

  return (conversation, expected, events) => {
    const moved =
      moveFromLatest(conversation, expected, events) ?? moveFromFile(conversation, expected, events)
    if (moved.kind !== 'write') return { ok: moved.kind === 'nothing', seq: moved.seq }
    const { number, rows, head, seal } = moved
    const place = { id: conversation, number }
    checkKeys(place, moved.seq)
    insert(place, rows)
    for (const { seq, blobs: names } of rows) if (names) blobs.use(conversation, seq, names)
    latest = { ...place, head, seal }
    return { ok: true, seq: moved.seq }
  }
}
