import { randomUUID } from 'node:crypto'
import { type Conversation, openConversation } from '@toolblocks/agent'
import { openStore, type StoredEvent } from '@toolblocks/conversation-store'
import { READERS } from '../conversations/open/store-address.ts'
import type { Workspace } from '../workspace/open-workspace.ts'
import { findResumed } from './find-resumed.ts'

/** A conversation in its store, or why there is none. The store is to be closed in any case. */
export type OpenedStoredConversation = { close(): Promise<void> } & (
  | {
      ok: true
      conversation: Conversation
      /** Opens a new one in the same store. */
      openNew(): Promise<Conversation>
      /** Where it is kept, for messages; `undefined` where nobody has agreed to a place, and it ends with the process. */
      storeName: string | undefined
    }
  | { ok: false; message: string }
)

const IN_MEMORY = { url: 'memory:', name: undefined }

/** Opens the conversation to go on with, or a new one. */
export async function openStoredConversation(
  { store: chosen }: Pick<Workspace, 'store'>,
  resume: string | true | undefined,
  following: { onEvent?: (event: StoredEvent) => void },
): Promise<OpenedStoredConversation> {
  const address = chosen.kind === 'waiting' ? IN_MEMORY : chosen.address
  const store = await openStore(address.url, { readers: READERS })
  const close = async (): Promise<void> => await store.close()
  const found = await findResumed(store, resume)
  if (!found.ok) return { ...found, close }
  return {
    ok: true,
    conversation: await openConversation(store, found.id, following),
    openNew: async () => await openConversation(store, randomUUID(), following),
    storeName: address.name,
    close,
  }
}
