import { randomUUID } from 'node:crypto'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { type SharedDocument, type SharedDocuments, writeShared } from './shared-documents.ts'

/** A process that serves the same service. */
export interface Replica {
  readonly id: string
  /** Where other replicas send requests, for example `http://10.0.0.5:8080`. */
  readonly address: string
  /** Whether it ends soon, and takes no further sessions. */
  readonly isLeaving: boolean
  /** Whether it marks calls before their first effect. One of an earlier version does not. */
  readonly marksCalls: boolean
}

/** The replicas of a service, as one of them sees them. */
export interface ReplicaGroup {
  /** Returns the id of this process. It gets another one after it was taken for dead. */
  ownId(): string
  /** Returns a replica; `undefined` if it has ended, or is taken for dead. */
  find(id: string): Promise<Replica | undefined>
  /** Returns another replica that takes sessions; `undefined` if there is none. */
  findOther(): Promise<Replica | undefined>
  /** Returns a signal that is aborted when a replica has ended, or is taken for dead. */
  whenGone(id: string): AbortSignal
  /** Takes a replica for dead at once: another process answers at its address. */
  bury(id: string): Promise<void>
  /** Settles when the others were heard of not long ago: a process that was stopped for a while learns here that it was taken for dead. */
  confirm(): Promise<void>
  /** Tells the others that this process ends soon. */
  leave(): Promise<void>
  /** Ends its membership: what it holds is free. */
  close(): Promise<void>
}

const REPLICAS = 'mcp-replica'
/** The most replicas that are seen. */
const MOST = 1000
/** Milliseconds without a sign of life after which a replica is taken for dead. */
const DEAD_AFTER_MS = 6000
const BEATS_BEFORE_DEATH = 6
const BEATS_OF_OTHER_ACCESS = 3

/**
 * Joins the replicas of a service. What an earlier process had at the same address is free. `onLost`: the others have taken this process for dead, and what it held may belong to
 * them; `onSameAddress`: another process has the same address.
 */
export async function joinReplicas({
  documents,
  address,
  onLost,
  onSameAddress,
  getAccess = () => '',
  onOtherAccess,
  deadAfterMs = DEAD_AFTER_MS,
}: {
  documents: SharedDocuments
  address: string
  onLost: () => void
  onSameAddress?: (() => void) | undefined
  /** Returns a digest of the credentials that this process accepts. Empty: unknown. */
  getAccess?: () => string
  /** Another process accepts other credentials, for a while. Called once for each. */
  onOtherAccess?: ((address: string) => void) | undefined
  deadAfterMs?: number | undefined
}): Promise<ReplicaGroup> {
  const beatMs = deadAfterMs / BEATS_BEFORE_DEATH
  /** When the version of a replica was first seen, by the clock of this process alone. */
  const seen = new Map<string, { version: number; since: number }>()
  /** For how many beats others have accepted other credentials. */
  const differing = new Map<string, number>()
  let own = { id: randomUUID(), version: 0 }
  const gone = new Map<string, AbortController>()
  let isLeaving = false
  let isBuried = false
  let lastBeat = performance.now()
  let beating: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  async function writeOwn(): Promise<void> {
    for (;;) {
      const { id, version } = own
      const value = { address, isLeaving, marksCalls: true, access: getAccess() }
      const write = { collection: REPLICAS, id, version, state: 'alive', value }
      const { ok, document } = await writeShared(documents, write)
      if (ok) {
        own = { id, version: version + 1 }
        return
      }
      // A write whose answer was lost.
      if (document) own = { id, version: document.version }
      else {
        own = { id: randomUUID(), version: 0 }
        isBuried = true
        onLost()
      }
    }
  }

  async function watchOthers(): Promise<void> {
    const { documents: all } = await documents.list(REPLICAS, { limit: MOST })
    const now = performance.now()
    const ids = new Set(all.map(({ id }) => id))
    for (const id of seen.keys()) if (!ids.has(id)) seen.delete(id)
    for (const [id, ending] of gone) {
      if (ids.has(id)) continue
      gone.delete(id)
      ending.abort()
    }
    const isShared = all.some(({ id, value }) => id !== own.id && isAt(value, address))
    if (isBuried && isShared) onSameAddress?.()
    isBuried = false
    compareAccess(all)
    for (const { id, version } of all) {
      if (id === own.id) continue
      const before = seen.get(id)
      if (before?.version !== version) seen.set(id, { version, since: now })
      else if (now - before.since > deadAfterMs) await documents.remove(REPLICAS, id, version)
    }
  }

  function compareAccess(all: readonly SharedDocument[]): void {
    const access = getAccess()
    for (const id of differing.keys()) if (!all.some((each) => each.id === id)) differing.delete(id)
    for (const { id, value } of all) {
      const other: JsonObject = isJsonObject(value) ? value : {}
      const isOther =
        id !== own.id &&
        access !== '' &&
        typeof other['access'] === 'string' &&
        other['access'] !== ''
      if (!isOther) continue
      const beats = other['access'] === access ? 0 : (differing.get(id) ?? 0) + 1
      differing.set(id, beats)
      // A token that is added or revoked counts a moment later at the other one.
      if (beats === BEATS_OF_OTHER_ACCESS) onOtherAccess?.(String(other['address']))
    }
  }

  async function beat(): Promise<void> {
    const startedAt = performance.now()
    // Nothing is known of the others if this process itself was stopped.
    if (startedAt - lastBeat > deadAfterMs) seen.clear()
    try {
      await writeOwn()
      lastBeat = startedAt
      await watchOthers()
    } catch (error) {
      // A store that fails is no sign that a replica is dead.
      seen.clear()
      throw error
    }
  }

  function beatOnce(): Promise<void> {
    beating ??= beat().finally(() => (beating = undefined))
    return beating
  }

  function schedule(): void {
    timer = setTimeout(() => {
      void beatOnce()
        .catch(() => undefined)
        .finally(() => {
          if (!isClosed) schedule()
        })
    }, beatMs).unref()
  }

  const { documents: before } = await documents.list(REPLICAS, { limit: MOST })
  for (const { id, version, value } of before)
    if (isAt(value, address)) await documents.remove(REPLICAS, id, version)
  await beatOnce()
  schedule()
  return {
    ownId: () => own.id,
    find: async (id) => {
      const document = await documents.read(REPLICAS, id)
      return document && toReplica(document.id, document.value)
    },
    findOther: async () => {
      const { documents: all } = await documents.list(REPLICAS, { limit: MOST })
      const others = all.flatMap(({ id, value }) => {
        const replica = id === own.id ? undefined : toReplica(id, value)
        return replica && !replica.isLeaving ? [replica] : []
      })
      return others[Math.floor(Math.random() * others.length)]
    },
    whenGone: (id) => {
      const ending = gone.get(id) ?? new AbortController()
      gone.set(id, ending)
      return ending.signal
    },
    bury: async (id) => {
      const document = await documents.read(REPLICAS, id)
      if (document) await documents.remove(REPLICAS, id, document.version)
    },
    confirm: async () => {
      if (performance.now() - lastBeat < deadAfterMs / 2) return
      // Without the store, nobody can have taken anything over.
      await beatOnce().catch(() => undefined)
    },
    leave: async () => {
      isLeaving = true
      await beatOnce().catch(() => undefined)
      await beatOnce()
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await beating?.catch(() => undefined)
      await documents.remove(REPLICAS, own.id, own.version)
    },
  }
}

function isAt(value: unknown, address: string): boolean {
  return isJsonObject(value) && value['address'] === address
}

function toReplica(id: string, value: unknown): Replica | undefined {
  const { address, isLeaving, marksCalls }: JsonObject = isJsonObject(value) ? value : {}
  if (typeof address !== 'string') return undefined
  return { id, address, isLeaving: isLeaving === true, marksCalls: marksCalls === true }
}
