import { randomBytes } from 'node:crypto'
import type { Documents } from '@toolblocks/conversation-store'
import type { StateOptions } from '@toolblocks/mcp-bridge/server'
import { isJsonObject } from '@toolblocks/protocol'

/** The collections of the documents. */
const KEY = 'serve-key'
const USED = 'used-state'
/** The only document of the collection of keys. */
const KEY_ID = 'current'
const KEY_BYTES = 32
/** Milliseconds after its end until a used state is forgotten: longer than the clocks of hosts differ. */
const MARGIN_MS = 24 * 60 * 60 * 1000
/** The number of forgotten states for each used one. Two are more than come in, so their number does not grow without limit. */
const FORGOTTEN = 2

/**
 * Returns the key of a store and the record of its used states, which all servers with this store share: each of them can continue the calls of the
 * others, and a state is used once. Creates the key if the store has none. Rejects if the store cannot be read or written.
 */
export async function openSharedStates(
  documents: Pick<Documents, 'read' | 'list' | 'write' | 'remove'>,
  now: () => number = Date.now,
): Promise<Required<StateOptions>> {
  const stateKey = await readKey(documents)

  /** Forgets states that no server accepts any more. */
  async function forget(): Promise<void> {
    const { documents: oldest } = await documents.list(USED, { limit: FORGOTTEN })
    for (const { id, version, value } of oldest) {
      const expires = isJsonObject(value) ? value['expires'] : undefined
      if (typeof expires !== 'number' || expires + MARGIN_MS < now())
        await documents.remove(USED, id, version)
    }
  }

  return {
    stateKey,
    spendState: async (id, expires) => {
      const write = { collection: USED, id, version: 0, state: 'used', value: { expires } }
      const { ok } = await documents.write(write)
      // The state is recorded. A failure here is repaired by the next use.
      await forget().catch(() => undefined)
      return ok
    },
  }
}

async function readKey(documents: Pick<Documents, 'read' | 'write'>): Promise<Uint8Array> {
  for (;;) {
    const stored = await documents.read(KEY, KEY_ID)
    const text = isJsonObject(stored?.value) ? stored.value['key'] : undefined
    const key = Buffer.from(typeof text === 'string' ? text : '', 'base64url')
    if (key.length === KEY_BYTES) return key
    await documents.write({
      collection: KEY,
      id: KEY_ID,
      version: stored?.version ?? 0,
      state: KEY_ID,
      value: { key: randomBytes(KEY_BYTES).toString('base64url') },
    })
  }
}
