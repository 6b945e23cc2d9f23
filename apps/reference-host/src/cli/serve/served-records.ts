import type { ConversationStore } from '@toolblocks/conversation-store'
import {
  type CallRecord,
  NO_STORE_CONFIGURED,
  openRecords,
} from '../../workspace/conversations/record-call.ts'
import type { ChosenStore } from '../../workspace/store/choose-store.ts'
import { type GroupedRecord, groupRecord } from './group-record.ts'

/** The records of all clients of a service. */
interface ServedRecords {
  /** Begins the record of one client. */
  beginRecord(conversation: string): CallRecord & Partial<Pick<GroupedRecord, 'flush'>>
  /** Absent if nothing is recorded. */
  store?: ConversationStore
  close(): Promise<void>
}

export const NO_STORE = { kind: 'none' } as const

/** Programs that were named have no configuration, and so no store. */
export const UNRECORDED = recordNothing(NO_STORE_CONFIGURED)

function recordNothing(unstored: string): Pick<ServedRecords, 'beginRecord'> {
  return { beginRecord: () => ({ record: async () => {}, close: async () => {}, unstored }) }
}

/** Opens the records of clients, whose events are written in groups. They are also in the default store: the command line has named no other. */
export async function openServedRecords(
  chosen: ChosenStore | typeof NO_STORE,
  {
    warn,
    isMasked,
    close,
  }: { warn: (message: string) => void; isMasked: boolean; close: () => Promise<void> },
): Promise<ServedRecords> {
  if (chosen.kind === 'none') return { ...recordNothing('of --no-record'), close }
  const store: ChosenStore =
    chosen.kind === 'waiting' ? chosen : { kind: 'written', address: chosen.address }
  const records = await openRecords(store, warn)
  const { maskRecord } = await import('./mask-record.ts')
  return {
    ...(records.store && { store: records.store }),
    beginRecord: (conversation) => {
      const record = records.begin(conversation)
      return groupRecord(isMasked && records.store ? maskRecord(record, warn) : record)
    },
    close: async () => {
      await close()
      await records.close()
    },
  }
}
