import type { DatabaseSync } from 'node:sqlite'
import type { EventBytes } from '../event-row.ts'
import { type KeptHead, NOTHING_KEPT } from '../kept-head.ts'
import { type AppendPlan, planAppend } from '../plan-append.ts'
import { toHead } from '../sql-row.ts'
import { prepareInsert } from './insert-events.ts'
import type { SqliteBlobs } from './sqlite-blobs.ts'
import type { SqliteStatements } from './sqlite-statements.ts'

/** An append, in the caller's transaction. */
export type AppendRows = (
  conversation: string,
  expected: number,
  events: readonly EventBytes[],
) => { ok: boolean; seq: number }

type Write = Extract<AppendPlan, { kind: 'write' }>

/** Prepares the appends of one connection. */
export function prepareAppend(
  database: DatabaseSync,
  { statements, blobs }: { statements: SqliteStatements; blobs: SqliteBlobs },
): AppendRows {
  const insert = prepareInsert(database)
  const advance = database.prepare(`
    UPDATE conversations SET seq = ?, chain = ?, updated_at = ?, seal = ?
    WHERE id = ? AND touched = (SELECT max(touched) FROM conversations)`)
  const goOn = database.prepare(`
    UPDATE conversations SET seq = ?, chain = ?, updated_at = ?, seal = ?
    WHERE id = ? AND touched = (SELECT max(touched) FROM conversations)
      AND seq = ? AND chain = ? AND created_at = ? AND updated_at = ? AND seal = ?`)
  const touch = database.prepare(`
    INSERT INTO conversations (id, seq, chain, created_at, updated_at, seal, touched)
    VALUES (?, ?, ?, ?, ?, ?, (SELECT coalesce(max(touched), 0) + 1 FROM conversations))
    ON CONFLICT (id) DO UPDATE SET
      seq = excluded.seq, chain = excluded.chain, updated_at = excluded.updated_at,
      seal = excluded.seal, touched = excluded.touched`)
  /** What this connection wrote last. Others may have written since: only the file tells whether it is still there. */
  let latest: (Pick<Write, 'head' | 'seal'> & { conversation: string }) | undefined

  /** Where the conversation goes on from what was written last, one statement finds that out and moves its end. */
  function goOnFromLatest(
    conversation: string,
    expected: number,
    events: readonly EventBytes[],
  ): Write | undefined {
    if (latest?.conversation !== conversation || latest.head.seq !== expected) return undefined
    const { head: from, seal } = latest
    const plan = planAppend(conversation, { ...from, isIntact: true }, { expected, events })
    if (plan.kind !== 'write') return undefined
    const next = [plan.seq, plan.head.chain, plan.head.updatedAt, plan.seal] as const
    const was = [from.seq, from.chain, from.createdAt, from.updatedAt, seal] as const
    return goOn.run(...next, conversation, ...was).changes === 1 ? plan : undefined
  }

  function moveEnd(conversation: string, { head, seal }: Write): void {
    const { seq, chain, createdAt, updatedAt } = head
    if (advance.run(seq, chain, updatedAt, seal, conversation).changes === 0)
      touch.run(conversation, seq, chain, createdAt, updatedAt, seal)
  }

  return (conversation, expected, events) => {
    let plan: AppendPlan | undefined = goOnFromLatest(conversation, expected, events)
    if (!plan) {
      plan = planAppend(conversation, headOf(statements, conversation), { expected, events })
      if (plan.kind !== 'write') return { ok: plan.kind === 'nothing', seq: plan.seq }
      moveEnd(conversation, plan)
    }
    insert(conversation, plan.rows)
    for (const { seq, blobs: names } of plan.rows) if (names) blobs.use(conversation, seq, names)
    latest = { conversation, head: plan.head, seal: plan.seal }
    return { ok: true, seq: plan.seq }
  }
}

/** What is kept of a conversation beside its events. */
export function headOf({ head, scan }: SqliteStatements, conversation: string): KeptHead {
  const row = head.get(conversation)
  if (row) return toHead(conversation, row)
  const isLost = scan.get(conversation, 0, 1) !== undefined
  return isLost ? { ...NOTHING_KEPT, isIntact: false } : NOTHING_KEPT
}
