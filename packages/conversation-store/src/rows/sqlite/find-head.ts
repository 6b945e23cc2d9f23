import { type KeptHead, NOTHING_KEPT } from '../kept-head.ts'
import { toHead } from '../sql-row.ts'
import type { SqliteStatements } from './sqlite-statements.ts'

/** What is kept of a conversation beside its events, and its number. */
export interface FoundHead extends KeptHead {
  /** Absent where nobody has written to it. */
  number?: number
}

/** Finds the head of a conversation; not intact where one of the two places that have its number has lost it. */
export function findHead(statements: SqliteStatements, conversation: string): FoundHead {
  const row = statements.head.get(conversation)
  const named = statements.number.get(conversation)?.['number']
  if (!row && named === undefined) return NOTHING_KEPT
  const number = Number(named ?? row?.['number'])
  if (row?.['number'] !== named) return { ...NOTHING_KEPT, isIntact: false, number }
  return { ...toHead(conversation, row ?? {}), number }
}
