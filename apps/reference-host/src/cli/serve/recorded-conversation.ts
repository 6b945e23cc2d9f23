import type { ServiceOptions } from './create-service.ts'
import { keepConversation, type KeptConversation } from './kept-calls/kept-conversation.ts'
import type { OpenedService } from './open-service.ts'
import type { ServiceTurns } from './record-calls.ts'

/** The conversation of a client, and its record, which all services of the client write. */
export interface RecordedConversation {
  id: string
  record: ServiceOptions['record']
  turns: ServiceTurns
  kept: KeptConversation
  /** Whether other processes may read its results for the client. */
  isShared: boolean
  /** The number of services that write the record. The last one closes it. */
  services: number
}

/** Begins the record of a client. `join`: as for `keepConversation`. */
export function recordConversation(
  { beginRecord }: Pick<Extract<OpenedService, { ok: true }>, 'beginRecord'>,
  id: string,
  isShared: boolean,
  join?: Parameters<typeof keepConversation>[2],
): RecordedConversation {
  const record = beginRecord(id)
  const turns = { last: 0, running: 0 }
  const kept = keepConversation(id, record.store, join)
  return { id, record, turns, kept, isShared, services: 0 }
}
