import type { ConversationEvent, ConversationStore } from '@toolblocks/conversation-store'
import { type KeepBytes } from '@toolblocks/protocol'
import { createQueue, getErrorText } from '@toolblocks/protocol/internal'
import { type ChosenStore, openStoreAt } from '../store/choose-store.ts'

/** Records the events of one conversation. It never rejects, because a failed record must not lose a result. */
export interface CallRecord {
  record(...events: readonly ConversationEvent[]): Promise<void>
  /** Stores the output of a tool while it runs. Absent if nothing is recorded. */
  keepBytes?: KeepBytes
  /** The store. Absent if nothing is recorded. */
  store?: ConversationStore
  /** Why nothing is recorded, as it follows "because". Absent: there is a store, or the reason is unknown. */
  unstored?: string
  /** Whether the last events could not be stored. */
  isFailing?(): boolean
  close(): Promise<void>
}

/** Records of several conversations in one store. */
export interface CallRecords extends Pick<CallRecord, 'keepBytes' | 'store' | 'close'> {
  /** Begins the record of one conversation. Its `close` ends nothing else. */
  begin(conversation: string): CallRecord
}

/** Records nothing, because of this. */
const recordNothing = (unstored: string): CallRecords => ({
  begin: () => ({ record: async () => {}, close: async () => {}, unstored }),
  close: async () => {},
})

/** Why nothing is recorded without a store. */
export const NO_STORE_CONFIGURED = 'no [store] is configured'

/** Events of one conversation that are kept for the next attempt while the store fails. */
const MAX_KEPT_EVENTS = 200

/**
 * Opens the configured store for records. A store that fails is tried again with each further event, and the events that it missed are stored then,
 * up to a limit; above it the record says how many are missing. A failure is reported when it begins, and when it is over.
 */
export async function openRecords(
  store: ChosenStore,
  warn: (message: string) => void,
): Promise<CallRecords> {
  if (store.kind === 'waiting')
    return recordNothing('the [store] of the folder waits for agreement')
  if (store.kind === 'default') return recordNothing(NO_STORE_CONFIGURED)
  const { address } = store
  const report = (what: string, error: unknown): void => {
    const reason = getErrorText(error)
    warn(`${what} in ${address.name}: ${reason}`)
  }
  let opened: ConversationStore
  try {
    opened = await openStoreAt(address, { onWait: (what) => warn(`still waiting for ${what}`) })
  } catch (error) {
    report('the call is not recorded', error)
    return recordNothing('the [store] cannot be opened')
  }
  let isFailing = false

  function begin(conversation: string): CallRecord {
    const append = createRecorder(opened, conversation)
    const inTurn = createQueue()
    let kept: ConversationEvent[] = []
    let dropped = 0

    async function record(events: readonly ConversationEvent[]): Promise<void> {
      const missed: readonly ConversationEvent[] =
        dropped === 0 ? [] : [{ type: 'configuration', values: { missing_events: dropped } }]
      const all = [...kept, ...missed, ...events]
      try {
        await append(...all)
        kept = []
        dropped = 0
        if (isFailing) warn(`calls are recorded in ${address.name} again`)
        isFailing = false
      } catch (error) {
        if (!isFailing) report('calls cannot be recorded at the moment', error)
        isFailing = true
        const room = MAX_KEPT_EVENTS - kept.length
        kept.push(...events.slice(0, room))
        dropped += Math.max(0, events.length - room)
      }
    }

    return {
      record: async (...events) => await inTurn(async () => await record(events)),
      keepBytes: async (bytes) => await opened.keepBytes(bytes),
      store: opened,
      isFailing: () => isFailing,
      // What is still kept gets a last chance.
      close: async () => {
        if (kept.length > 0) await inTurn(async () => await record([]))
      },
    }
  }

  return {
    begin,
    keepBytes: async (bytes) => await opened.keepBytes(bytes),
    store: opened,
    close: async () => await opened.close().catch(() => undefined),
  }
}

/** Opens the configured store for the record of one conversation, which ends with it. */
export async function openRecord(
  store: ChosenStore,
  conversation: string,
  warn: (message: string) => void,
): Promise<CallRecord> {
  const records = await openRecords(store, warn)
  const record = records.begin(conversation)
  return {
    ...record,
    close: async () => {
      await record.close()
      await records.close()
    },
  }
}

/** Appends events to one conversation, in the order of the calls. */
type RecordEvents = (...events: readonly ConversationEvent[]) => Promise<void>

const MAX_TRIES = 16

/**
 * Creates a writer for one conversation. Appends run one after the other. If another process has written meanwhile, the events follow its events.
 * An append that fails rejects, and later appends still run.
 */
export function createRecorder(store: ConversationStore, conversation: string): RecordEvents {
  let end = 0
  const inTurn = createQueue()

  async function append(events: readonly ConversationEvent[]): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const { ok, seq } = await store.append(conversation, end, events)
      end = seq
      if (ok) return
    }
    throw new Error(
      `the event could not be appended to the conversation "${conversation}", because other processes keep writing to it`,
    )
  }

  return async (...events) => await inTurn(async () => await append(events))
}
