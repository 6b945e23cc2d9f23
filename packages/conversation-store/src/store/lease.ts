import { setTimeout as pause } from 'node:timers/promises'
import { requireArguments } from '@toolblocks/protocol/internal'
import { isJsonObject } from '@toolblocks/protocol'
import type { Documents, StoredDocument } from './documents.ts'

/** Options of `acquireLease`. */
export interface LeaseOptions {
  /** The name of this host, unique among all hosts of the store. */
  holder: string
  /** Milliseconds without a renewal after which another host may take the lease. Every host of a store uses the same value. Default: 15,000. */
  durationMs?: number
  /** Whether another holder certainly does not run any more; then its lease is taken at once. Default: unknown. */
  isGone?: (holder: string) => boolean
  /** Ends the attempt. */
  signal?: AbortSignal
}

/** The right of one host to run a conversation, while it is renewed. */
export interface Lease {
  /** Aborts when another host has taken the lease, or when it could not be renewed in time. */
  readonly lost: AbortSignal
  /** Ends the renewals and returns the lease. If the store cannot be reached, the lease ends after its duration. Never rejects. */
  release(): Promise<void>
}

/** The lease, or the name of the host that has it. */
export type LeaseResult =
  | { ok: true; lease: Lease }
  /** `holder`: the name of the other host. */
  | { ok: false; holder: string }

/** The collection of the documents. */
const COLLECTION = 'lease'
const DURATION_MS = 15_000
/** A lease is renewed this often within its duration. */
const RENEWALS = 3
/** Milliseconds between two looks at a lease of another host. */
const POLL_MS = 250

/**
 * Acquires the lease of a conversation. If another host has it, waits until that host renews it, and resolves to its name; or until the duration has
 * passed without a renewal, and takes the lease. Durations are measured by this host alone, so the clocks of hosts need not agree. Rejects like the
 * store's documents, and with the signal's reason.
 */
export async function acquireLease(
  documents: Pick<Documents, 'read' | 'write'>,
  conversation: string,
  options: LeaseOptions,
): Promise<LeaseResult> {
  requireArguments(
    'acquireLease(documents, conversation, options)',
    [documents, { read: 'function', write: 'function' }],
    [conversation, 'string'],
    [options, { holder: 'string' }],
  )
  const { holder, durationMs = DURATION_MS, isGone = () => false, signal } = options
  let seen: { version: number; since: number } | undefined
  for (;;) {
    signal?.throwIfAborted()
    const document = await documents.read(COLLECTION, conversation)
    const version = document?.version ?? 0
    const other = document && getHolder(document)
    if (other === undefined || isGone(other) || hasPassed(seen, durationMs)) {
      const written = await writeLease(documents, conversation, { holder, version })
      if (written !== undefined)
        return {
          ok: true,
          lease: keepLease(documents, conversation, { holder, durationMs, written }),
        }
      seen = undefined
      continue
    }
    if (seen && seen.version !== version) return { ok: false, holder: other }
    seen ??= { version, since: performance.now() }
    await pause(getPollMs(durationMs), undefined, signal ? { signal } : {})
  }
}

const getPollMs = (durationMs: number): number => Math.min(POLL_MS, durationMs / RENEWALS)

const hasPassed = (seen: { since: number } | undefined, durationMs: number): boolean =>
  seen !== undefined && performance.now() - seen.since >= durationMs

/** The holder of a lease. `undefined`: it was released. */
function getHolder({ value }: StoredDocument): string | undefined {
  const holder = isJsonObject(value) ? value['holder'] : undefined
  return typeof holder === 'string' ? holder : undefined
}

/** Returns the host that had the lease of a conversation when it was last written. `undefined`: nobody has it. */
export async function readLeaseHolder(
  documents: Pick<Documents, 'read'>,
  conversation: string,
): Promise<string | undefined> {
  requireArguments(
    'readLeaseHolder(documents, conversation)',
    [documents, { read: 'function' }],
    [conversation, 'string'],
  )
  const document = await documents.read(COLLECTION, conversation)
  return document && getHolder(document)
}

/**
 * Returns whether a host has the lease of a conversation: the given one, or any. If it may have ended, because the last renewal is further away than the
 * duration by this machine's clock, waits until the host renews the lease or the duration has passed. Rejects like the store's documents, and with the
 * signal's reason.
 */
export async function isLeaseHeld(
  documents: Pick<Documents, 'read'>,
  conversation: string,
  {
    holder,
    durationMs = DURATION_MS,
    isGone = () => false,
    signal,
  }: Omit<LeaseOptions, 'holder'> & { holder?: string } = {},
): Promise<boolean> {
  requireArguments(
    'isLeaseHeld(documents, conversation, …)',
    [documents, { read: 'function' }],
    [conversation, 'string'],
  )
  let seen: { version: number; since: number } | undefined
  for (;;) {
    signal?.throwIfAborted()
    const document = await documents.read(COLLECTION, conversation)
    const current = document && getHolder(document)
    if (!document || current === undefined || isGone(current)) return false
    if (holder !== undefined && current !== holder) return false
    const { version, at } = document
    if (seen ? seen.version !== version : Math.abs(Date.now() - Date.parse(at)) < durationMs)
      return true
    if (hasPassed(seen, durationMs)) return false
    seen ??= { version, since: performance.now() }
    await pause(getPollMs(durationMs), undefined, signal ? { signal } : {})
  }
}

/**
 * Writes a lease; without a holder, nobody has it. Resolves to its new version; `undefined` if another host was first. A lease is never removed, so that
 * its versions do not begin again.
 */
async function writeLease(
  documents: Pick<Documents, 'write'>,
  conversation: string,
  { holder, version }: { holder?: string; version: number },
): Promise<number | undefined> {
  const written = await documents.write({
    collection: COLLECTION,
    id: conversation,
    conversation,
    version,
    state: holder === undefined ? 'free' : 'held',
    value: holder === undefined ? {} : { holder },
  })
  return written.ok ? written.document.version : undefined
}

/** Renews a lease until it is released or lost. */
function keepLease(
  documents: Pick<Documents, 'write'>,
  conversation: string,
  { holder, durationMs, written }: { holder: string; durationMs: number; written: number },
): Lease {
  const lost = new AbortController()
  let version = written
  let renewed = performance.now()
  let renewing: Promise<void> | undefined

  const isOverdue = (): boolean => performance.now() - renewed >= durationMs

  async function renew(): Promise<void> {
    const start = performance.now()
    try {
      const next = await writeLease(documents, conversation, { holder, version })
      if (next === undefined) lost.abort()
      else {
        version = next
        renewed = start
      }
    } catch {
      // The store may be available again before the lease is overdue.
    } finally {
      renewing = undefined
    }
  }

  const timer = setInterval(() => {
    // A renewal without an answer does not extend the lease.
    if (isOverdue()) lost.abort()
    else renewing ??= renew()
  }, durationMs / RENEWALS).unref()
  const whenLost = new Promise<void>((resolve) =>
    lost.signal.addEventListener('abort', () => {
      clearInterval(timer)
      resolve()
    }),
  )

  return {
    lost: lost.signal,
    release: async () => {
      await Promise.race([renewing, whenLost])
      clearInterval(timer)
      if (!lost.signal.aborted)
        await writeLease(documents, conversation, { version }).catch(() => undefined)
    },
  }
}
