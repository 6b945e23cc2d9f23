import { setTimeout as pause } from 'node:timers/promises'
import type { ConversationStore } from '@toolblocks/conversation-store'
import type { StateOptions } from '@toolblocks/mcp-bridge/server'
import { getErrorText } from '@toolblocks/protocol/internal'
import type { ServeCommandOptions } from './serve-options.ts'
import { openSharedStates } from './shared-states.ts'

/** Milliseconds in which a store that works answers. */
const STORE_MS = 2000

/** Returns what is missing while the store does not answer. */
export async function findMissingStore({
  documents,
}: ConversationStore): Promise<string | undefined> {
  const late = pause(STORE_MS, 'late', { ref: false })
  try {
    const read = await Promise.race([documents.read('mcp-replica', 'none'), late])
    return read === 'late' ? 'the store does not answer' : undefined
  } catch {
    // Anybody may read it, so it contains no address.
    return 'the store fails'
  }
}

/** Returns what this process shares with other replicas; `undefined` if it serves alone, or a message if there is no store. */
export function getReplicaStore(
  store: ConversationStore | undefined,
  { stateKey }: StateOptions,
  { replicaAddress: address }: Pick<ServeCommandOptions, 'replicaAddress'>,
):
  | { documents: ConversationStore['documents']; key: Uint8Array; address: string }
  | string
  | undefined {
  if (address === undefined) return undefined
  if (store && stateKey) return { documents: store.documents, key: stateKey, address }
  return '--replica-address needs a store that all replicas use: set [store] url in toolblocks.toml or in the settings, for example to "postgres://HOST/DATABASE"'
}

/** With a store, all servers of the store can continue a call that waits for an answer; otherwise only this process can. */
export async function openStates(
  { store }: { store?: ConversationStore },
  warn: (message: string) => void,
): Promise<StateOptions> {
  if (!store) return {}
  try {
    return await openSharedStates(store.documents)
  } catch (error) {
    const reason = getErrorText(error)
    warn(`calls with questions continue only in this process, and not after its end: ${reason}`)
    return {}
  }
}
