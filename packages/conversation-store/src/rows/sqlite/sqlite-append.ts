import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import {
  type AppendPlan,
  type EventBytes,
  type EventRow,
  type StoredHead,
  EMPTY_STORED_HEAD,
  planAppend,
} from '../event-row.ts'
import { type ListPlace, PLACES } from '../list-place.ts'
import { toHead } from '../sql-row.ts'
import type { SqliteBlobs } from './sqlite-blobs.ts'
import { NEXT_NUMBER, checkKeys, getKey } from './sqlite-schema.ts'
import { toBlob } from './sqlite-values.ts'

type Write = Extract<AppendPlan, { kind: 'write' }>

/** A conversation, and the number at the start of its keys. */
interface KeyedConversation {
  id: string
  number: number
}

/** An append whose conversation has its new end already. */
type Moved = Write & Pick<KeyedConversation, 'number'>

/** What is appended, and where it places its conversation in the list. */
interface Append {
  expected: number
  events: readonly EventBytes[]
  listPlace: ListPlace
}

/** Prepares the appends of one connection. Each runs in the caller's transaction. */
export function prepareAppend(
  database: DatabaseSync,
  statements: HeadStatements,
  blobs: SqliteBlobs,
) {
  const insert = prepareInsert(database)
  const advance = database.prepare(`
    UPDATE conversations SET seq = ?, chain = ?, updated_at = ?, seal = ?
    WHERE number = ? AND touched = (SELECT max(touched) FROM conversations) AND touched >= ?`)
  const goOn = database.prepare(`
    UPDATE conversations SET seq = ?, chain = ?, updated_at = ?, seal = ?
    WHERE number = ? AND touched = (SELECT max(touched) FROM conversations) AND touched >= ?
      AND id = ? AND seq = ? AND chain = ? AND created_at = ? AND updated_at = ? AND seal = ?`)
  const touch = database.prepare(`
    UPDATE conversations SET seq = ?, chain = ?, updated_at = ?, seal = ?,
      touched = (SELECT max(max(touched) + 1, ?) FROM conversations) WHERE number = ?`)
  const date = database.prepare(`
    UPDATE conversations SET seq = ?, chain = ?, updated_at = ?, seal = ?, touched = ? + number % ${PLACES}
    WHERE number = ?`)
  const begin = database.prepare(`
    INSERT INTO conversations (number, id, seq, chain, created_at, updated_at, seal, touched)
    VALUES (${NEXT_NUMBER}, ?, ?, ?, ?, ?, ?,
      (SELECT max(coalesce(max(touched), 0) + 1, ?) FROM conversations))
    RETURNING number`)
  const name = database.prepare(
    'INSERT INTO conversation_numbers (conversation, number) VALUES (?, ?)',
  )
  /** What this connection wrote last. Others may have written since, so only the file shows whether it is still current. */
  let latest: (Pick<Write, 'head' | 'seal'> & KeyedConversation) | undefined

  /** Moves the end of the conversation with one statement, which also checks that the append continues from what was written last. */
  function moveFromLatest(
    conversation: string,
    { expected, events, listPlace }: Append,
  ): Moved | undefined {
    if (listPlace.kind === 'dated') return undefined
    if (latest?.id !== conversation || latest.head.seq !== expected) return undefined
    const { head: from, seal, number } = latest
    const plan = planAppend(conversation, { ...from, isIntact: true }, { expected, events })
    if (plan.kind !== 'write') return undefined
    const next = [plan.seq, plan.head.chain, plan.head.updatedAt, plan.seal] as const
    const was = [from.seq, from.chain, from.createdAt, from.updatedAt, seal] as const
    const { changes } = goOn.run(...next, number, listPlace.from, conversation, ...was)
    return changes === 1 ? { ...plan, number } : undefined
  }

  function moveFromFile(
    conversation: string,
    { expected, events, listPlace }: Append,
  ): Moved | Exclude<AppendPlan, Write> {
    const { number, ...stored } = findHead(statements, conversation)
    const plan = planAppend(conversation, stored, { expected, events })
    if (plan.kind !== 'write') return plan
    const { head, seal } = plan
    const next = [head.seq, head.chain, head.updatedAt, seal] as const
    const known = number ?? beginConversation(conversation, plan, listPlace.from)
    if (listPlace.kind === 'dated') date.run(...next, listPlace.from, known)
    else if (number !== undefined && advance.run(...next, number, listPlace.from).changes === 0)
      touch.run(...next, listPlace.from, number)
    return { ...plan, number: known }
  }

  function beginConversation(conversation: string, { head, seal }: Write, from: number): number {
    const { seq, chain, createdAt, updatedAt } = head
    const row = begin.get(conversation, seq, chain, createdAt, updatedAt, seal, from)
    const number = Number(row?.['number'])
    name.run(conversation, number)
    return number
  }

  return (conversation: string, append: Append): { ok: boolean; seq: number } => {
    const moved = moveFromLatest(conversation, append) ?? moveFromFile(conversation, append)
    if (moved.kind !== 'write') return { ok: moved.kind === 'nothing', seq: moved.seq }
    const { number, rows, head, seal } = moved
    const keyed = { id: conversation, number }
    checkKeys(keyed, moved.seq)
    insert(keyed, rows)
    for (const { seq, blobs: names } of rows) if (names) blobs.use(conversation, seq, names)
    latest = { ...keyed, head, seal }
    return { ok: true, seq: moved.seq }
  }
}

/** Numbers of rows that one statement can write. Many rows at once take two thirds of the time of single ones. */
const SIZES = [100, 10, 1] as const

/** Prepares the insertions of one connection, each when it is first needed. */
function prepareInsert(database: DatabaseSync) {
  const statements = new Map<number, StatementSync>()

  function getStatement(size: number): StatementSync {
    const known = statements.get(size)
    if (known) return known
    const values = Array.from({ length: size }, () => '(?, ?, ?, ?, ?, ?, ?)').join()
    const statement = database.prepare(
      `INSERT INTO events (key, conversation, seq, at, bytes, original, chain) VALUES ${values}`,
    )
    statements.set(size, statement)
    return statement
  }

  const insertOne = getStatement(1)

  return ({ id, number }: KeyedConversation, rows: readonly EventRow[]): void => {
    const [only] = rows
    if (only && rows.length === 1) {
      const { seq, at, bytes, original, chain } = only
      const data = [toBlob(bytes), original ? toBlob(original) : null, chain]
      insertOne.run(getKey(number, seq), id, seq, at, ...data)
      return
    }
    let from = 0
    for (const size of SIZES) {
      for (; rows.length - from >= size; from += size) {
        const values: SQLInputValue[] = []
        for (const { seq, at, bytes, original, chain } of rows.slice(from, from + size))
          values.push(
            getKey(number, seq),
            id,
            seq,
            at,
            toBlob(bytes),
            original ? toBlob(original) : null,
            chain,
          )
        getStatement(size).run(...values)
      }
    }
  }
}

/** The statements that read the head of a conversation. */
interface HeadStatements {
  head: StatementSync
  number: StatementSync
}

/** The data of a conversation that is stored beside its events, and its number. */
interface FoundHead extends StoredHead {
  /** Absent if the conversation has no events. */
  number?: number
}

/** Finds the head of a conversation. It is not intact if one of the two places of its number has lost the number. */
export function findHead(statements: HeadStatements, conversation: string): FoundHead {
  const row = statements.head.get(conversation)
  const keptNumber = statements.number.get(conversation)?.['number']
  if (!row && keptNumber === undefined) return EMPTY_STORED_HEAD
  const number = Number(keptNumber ?? row?.['number'])
  if (row?.['number'] !== keptNumber) return { ...EMPTY_STORED_HEAD, isIntact: false, number }
  return { ...toHead(conversation, row ?? {}), number }
}
