import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { createQueue } from '@toolblocks/protocol/internal'
import { type ClientIdentity, readIdentity } from '../identity/client-identity.ts'
import { type SharedDocument, type SharedDocuments, writeShared } from './shared-documents.ts'

/** What another replica needs to continue a session. */
export interface SessionRecord {
  /** Who opened it, as `ServedClient` has it. */
  readonly identity: string
  /** As `ServedClient` has it. */
  readonly identified?: ClientIdentity
  /** The id of the client for the service. */
  readonly client: string
  /** The parameters of its `initialize`. */
  readonly initialize: JsonObject
  /** The URIs to which it is subscribed. */
  readonly subscriptions: readonly string[]
  /** The log level that it has set. */
  readonly level?: string
}

/** A session that this replica holds. */
export interface HeldSession {
  /** Writes a change. */
  save(change: Partial<SessionRecord>): Promise<void>
  /** Says that the session is used. It is written now and then, for those that remove forgotten sessions. */
  touch(): void
  /** Lets another replica continue the session. */
  letGo(): Promise<void>
  /** Removes the session: it has ended. */
  remove(): Promise<void>
}

/** A session, and who holds it. */
interface StoredSession {
  readonly record: SessionRecord
  /** The id of a replica; empty: nobody. */
  readonly holder: string
  readonly version: number
}

/** The sessions of all replicas. */
export interface SessionRecords {
  create(id: string, holder: string, record: SessionRecord): Promise<HeldSession>
  read(id: string): Promise<StoredSession | undefined>
  /** Makes this replica the holder; `undefined` if another one was first. */
  take(id: string, holder: string, stored: StoredSession): Promise<HeldSession | undefined>
  /** Removes the sessions that nobody has used for the idle time. */
  sweep(isAlive: (holder: string) => Promise<boolean>): Promise<void>
}

const SESSIONS = 'mcp-session'
/** A part of the idle time, after which the time of use is written again. */
const TOUCHES = 4

/** Keeps the sessions of a service in shared documents. `onTaken`: another replica holds a session that this one held. */
export function createSessionRecords({
  documents,
  onTaken,
  maxIdleMs,
}: {
  documents: SharedDocuments
  onTaken: (id: string) => void
  maxIdleMs: number
}): SessionRecords {
  function hold(id: string, holder: string, first: StoredSession): HeldSession {
    const inTurn = createQueue()
    let { record, version } = first
    let touchedAt = Date.now()
    let isHeld = true

    async function write(state: string, next: SessionRecord): Promise<void> {
      if (!isHeld) return
      const value = toValue(next)
      const written = await writeShared(documents, {
        collection: SESSIONS,
        id,
        version,
        state,
        value,
      })
      if (written.ok) {
        version += 1
        record = next
        touchedAt = Date.now()
        return
      }
      // A write whose answer was lost.
      if (written.document?.state === holder) {
        version = written.document.version
        return await write(state, next)
      }
      isHeld = false
      onTaken(id)
    }

    return {
      save: async (change) =>
        await inTurn(async () => await write(holder, { ...record, ...change })),
      touch: () => {
        if (Date.now() - touchedAt < maxIdleMs / TOUCHES) return
        touchedAt = Date.now()
        void inTurn(async () => await write(holder, record)).catch(() => undefined)
      },
      letGo: async () =>
        await inTurn(async () => {
          await write('', record)
          isHeld = false
        }),
      remove: async () =>
        await inTurn(async () => {
          if (!isHeld) return
          isHeld = false
          await documents.remove(SESSIONS, id, version)
        }),
    }
  }

  return {
    create: async (id, holder, record) => {
      const write = { collection: SESSIONS, id, version: 0, state: holder, value: toValue(record) }
      await writeShared(documents, write)
      return hold(id, holder, { record, holder, version: 1 })
    },
    read: async (id) => {
      const document = await documents.read(SESSIONS, id)
      return document && toStored(document)
    },
    take: async (id, holder, { record, version }) => {
      const value = toValue(record)
      const write = { collection: SESSIONS, id, version, state: holder, value }
      const { ok, document } = await writeShared(documents, write)
      if (!ok && document?.state !== holder) return undefined
      return hold(id, holder, { record, holder, version: document?.version ?? version + 1 })
    },
    sweep: async (isAlive) => {
      const { documents: all } = await documents.list(SESSIONS, { limit: Infinity })
      for (const document of all) {
        if (Date.now() - getUsedAt(document) < maxIdleMs * 2) continue
        if (document.state !== '' && (await isAlive(document.state))) continue
        await documents.remove(SESSIONS, document.id, document.version)
      }
    },
  }
}

function toValue(record: SessionRecord): JsonObject {
  const { identified, subscriptions, ...rest } = record
  return {
    ...rest,
    subscriptions: [...subscriptions],
    usedAt: Date.now(),
    ...(identified && {
      identified: {
        ...identified,
        groups: [...identified.groups],
        scopes: [...identified.scopes],
      },
    }),
  }
}

function getUsedAt({ value }: SharedDocument): number {
  const usedAt = isJsonObject(value) ? value['usedAt'] : undefined
  return typeof usedAt === 'number' ? usedAt : 0
}

function toStored({ state: holder, version, value }: SharedDocument): StoredSession | undefined {
  if (!isJsonObject(value)) return undefined
  const { identity, identified: written, client, initialize, subscriptions, level } = value
  if (typeof identity !== 'string' || typeof client !== 'string' || !isJsonObject(initialize))
    return undefined
  const identified = readIdentity(written)
  const uris = Array.isArray(subscriptions) ? subscriptions : []
  const record = {
    identity,
    ...(identified && { identified }),
    client,
    initialize,
    subscriptions: uris.filter((uri) => typeof uri === 'string'),
    ...(typeof level === 'string' && { level }),
  }
  return { record, holder, version }
}
