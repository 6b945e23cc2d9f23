import { openStore, type ConversationStore, type StoredEvent } from '@toolblocks/conversation-store'
import { READERS } from '../conversations/open/store-address.ts'
import type { Workspace } from '../workspace/open-workspace.ts'
import { openConversation, type OpenConversation } from '../turn/open-conversation.ts'
import { findResumed } from './find-resumed.ts'

/** A conversation in its store, or why there is none. The store is to be closed in any case. */
export type OpenedStoredConversation = { close(): Promise<void> } & (
  | ({ ok: true } & StoredConversation)
  | { ok: false; message: string }
)

/** A conversation and where it is kept. */
export interface StoredConversation {
  conversation: OpenConversation
  store: ConversationStore
  /** For messages; `undefined` where nobody has agreed to a place, and the conversation ends with the process. */
  storeName: string | undefined
}

const IN_MEMORY = { url: 'memory:', name: undefined }

/** Opens the conversation to go on with, or a new one. */
export async function openStoredConversation(
  { store: chosen }: Pick<Workspace, 'store'>,
  resume: string | true | undefined,
  { onEvent }: { onEvent?: (event: StoredEvent) => void },
): Promise<OpenedStoredConversation> {
  const address = chosen.kind === 'waiting' ? IN_MEMORY : chosen.address
  const store = await openStore(address.url, { readers: READERS })
  const close = async (): Promise<void> => await store.close()
  const found = await findResumed(store, resume)
  if (!found.ok) return { ...found, close }
  const conversation = await openConversation(store, found.id, onEvent && { onEvent })
  return { ok: true, conversation, store, storeName: address.name, close }
}
