import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Documents, StoreError } from '@toolblocks/conversation-store'
import { isJsonObject, type JsonValue } from '@toolblocks/protocol'
import { getErrorText } from '@toolblocks/protocol/internal'
import { type ClientToken, createToken, isClientToken } from './stored-tokens.ts'

/** The document with all tokens of a store. Several services of a store have the clients of the same name in common. */
const COLLECTION = 'serve-tokens'
const ID = 'current'

/** Milliseconds until a store that fails is asked again. */
const RETRY_MS = 1000

/** What is said of a list that was changed outside the store. */
export const DAMAGED_TOKENS =
  'the list of tokens in the store was changed outside it, so none of them counts; "serve tokens add" begins a new list'

/** The tokens of a store, as a service knows them. */
export interface SharedTokens {
  list(): readonly ClientToken[]
  /** Stops to follow their changes. */
  close(): Promise<void>
}

/**
 * Follows the tokens of a store, so that those which are added or revoked on any machine count here at once. While the store fails, the tokens that
 * were read last count. A damaged list has no tokens.
 */
export async function followSharedTokens(
  documents: Pick<Documents, 'read' | 'changed'>,
  { warn, retryMs = RETRY_MS }: { warn: (message: string) => void; retryMs?: number },
): Promise<SharedTokens> {
  const closing = new AbortController()
  const { signal } = closing
  let known: Known = { version: 0, tokens: [] }
  let reported: string | undefined

  async function refresh(): Promise<void> {
    try {
      known = await readTokens(documents)
      if (known.isDamaged) report(DAMAGED_TOKENS)
      else reported = undefined
    } catch (error) {
      report(
        `the tokens of clients in the store cannot be read, and those that were read last count: ${getErrorText(error)}`,
      )
      await waitToRetry()
    }
  }

  const report = (message: string): void => {
    if (reported !== message) warn(message)
    reported = message
  }

  const waitToRetry = async (): Promise<void> => {
    await pause(retryMs, undefined, { signal }).catch(() => undefined)
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      // The read that follows says why it fails.
      await documents.changed(COLLECTION, ID, known.version, signal).catch(waitToRetry)
      if (!signal.aborted) await refresh()
    }
  }

  await refresh()
  const following = follow()
  return {
    list: () => known.tokens,
    close: async () => {
      closing.abort()
      await following
    },
  }
}

/** Returns the tokens of a store, the oldest first. */
export async function listSharedTokens(
  documents: Pick<Documents, 'read'>,
): Promise<Pick<Known, 'tokens' | 'isDamaged'>> {
  return await readTokens(documents)
}

/** Adds a token. It is returned once, and only its hash is stored. `isNewList`: the list before was damaged, so that its tokens are gone. */
export async function addSharedToken(
  documents: Pick<Documents, 'read' | 'write'>,
  about: Pick<ClientToken, 'name' | 'expires'>,
): Promise<{ stored: ClientToken; token: string; isNewList: boolean }> {
  const { token, hash } = createToken()
  const stored = { ...about, id: randomUUID().slice(0, 8), hash, at: new Date().toISOString() }
  const { isDamaged = false } = await change(documents, (before) => [...before, stored])
  return { stored, token, isNewList: isDamaged }
}

/** Removes a token, and returns it. `undefined`: it does not exist. Services refuse it at once. */
export async function revokeSharedToken(
  documents: Pick<Documents, 'read' | 'write'>,
  id: string,
): Promise<ClientToken | undefined> {
  let stored: ClientToken | undefined
  await change(documents, (before) => {
    stored = before.find((each) => each.id === id)
    return stored && before.filter((each) => each.id !== id)
  })
  return stored
}

/** The tokens, and the version of their document. */
interface Known {
  version: number
  tokens: readonly ClientToken[]
  isDamaged?: true
}

async function readTokens(documents: Pick<Documents, 'read'>): Promise<Known> {
  const document = await documents.read(COLLECTION, ID).catch((error: unknown) => {
    const version = error instanceof StoreError ? error.version : undefined
    if (version === undefined) throw error
    return { version, value: undefined }
  })
  const tokens: unknown = isJsonObject(document?.value) ? document.value['tokens'] : undefined
  return {
    version: document?.version ?? 0,
    tokens: Array.isArray(tokens) ? tokens.filter(isClientToken) : [],
    ...(document && !Array.isArray(tokens) && { isDamaged: true }),
  }
}

/** Changes the tokens, and returns what was read. Of several who do so at the same time, each one's change is done. `undefined`: nothing changes. */
async function change(
  documents: Pick<Documents, 'read' | 'write'>,
  edit: (before: readonly ClientToken[]) => readonly ClientToken[] | undefined,
): Promise<Known> {
  for (;;) {
    const known = await readTokens(documents)
    const { version, tokens } = known
    const edited = edit(tokens)
    if (!edited) return known
    const value: JsonValue = { tokens: edited.map((token) => ({ ...token })) }
    const write = { collection: COLLECTION, id: ID, version, state: ID, value }
    const { ok } = await documents.write(write)
    if (ok) return known
  }
}
