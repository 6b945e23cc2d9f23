import { openStore, type ConversationStore, type StoredEvent } from '@toolblocks/conversation-store'
import type { Configuration } from '../configuration/configuration.ts'
import { chatAddress } from '../conversations/open/store-address.ts'
import { openConversation, type OpenConversation } from '../turn/open-conversation.ts'
import { findConversation } from './find-conversation.ts'

/** A conversation in its store, or why there is none. The store is to be closed in any case. */
export type OpenedStoredConversation = { close(): Promise<void> } & (
  | ({ ok: true } & StoredConversation)
  | { ok: false; message: string }
)

/** A conversation and where it is kept. */
export interface StoredConversation {
  conversation: OpenConversation
  store: ConversationStore
  /** For messages. */
  storeName: string
}

/** Opens the conversation to go on with, or a new one. */
export async function openStoredConversation(
  configuration: Configuration,
  resume: string | true | undefined,
  { onEvent }: { onEvent?: (event: StoredEvent) => void },
): Promise<OpenedStoredConversation> {
  const address = chatAddress(configuration)
  const store = await openStore(address.url)
  const close = async (): Promise<void> => await store.close()
  const found = await findConversation(store, resume)
  if (!found.ok) return { ...found, close }
  const conversation = await openConversation(store, found.id, onEvent && { onEvent })
  return { ok: true, conversation, store, storeName: address.name, close }
}
