import type { ConversationEvent, ConversationStore } from '@toolblocks/conversation-store'
import { type KeepBytes } from '@toolblocks/protocol'
import { createQueue } from '@toolblocks/protocol/limits'
import { type ChosenStore, OPENERS } from '../choose-store.ts'

/** Records the events of one call. It never rejects, because a failed record must not lose a result. */
export interface CallRecord {
  record(...events: readonly ConversationEvent[]): Promise<void>
  /** Stores the output of a tool while it runs. Absent if nothing is recorded. */
  keepBytes?: KeepBytes
  /** The store. Absent if nothing is recorded. */
  store?: ConversationStore
  close(): Promise<void>
}

/** Opens the configured store for a new conversation. A failure is reported once and ends the recording. */
export async function openRecord(
  store: ChosenStore,
  conversation: string,
  warn: (message: string) => void,
): Promise<CallRecord> {
  const off: CallRecord = { record: async () => {}, close: async () => {} }
  if (store.kind !== 'written') return off
  const { address } = store
  let isFailing = false
  const attempt = async <Value>(work: () => Promise<Value>): Promise<Value | undefined> => {
    if (isFailing) return undefined
    try {
      return await work()
    } catch (error) {
      isFailing = true
      const reason = error instanceof Error ? error.message : String(error)
      warn(`the call is not recorded in ${address.name}: ${reason}`)
      return undefined
    }
  }
  // Loaded only if something is recorded.
  const { openStore } = await import('@toolblocks/conversation-store')
  const opened = await attempt(() => openStore(address.url, { openers: OPENERS }))
  if (!opened) return off
  const append = createRecorder(opened, conversation)
  return {
    record: async (...events) => await attempt(() => append(...events)),
    keepBytes: async (bytes) => await opened.keepBytes(bytes),
    store: opened,
    close: async () => await opened.close().catch(() => undefined),
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
