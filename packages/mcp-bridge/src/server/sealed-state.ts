import { getErrorText } from '@toolblocks/protocol/internal'
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { canonicalJson } from '@toolblocks/schema-check'
import { INTERNAL_ERROR, RpcError } from '../wire/message.ts'
import { ServeError } from './serve-error.ts'

/** An answer of a client's user, with its question. */
export interface SealedAnswer {
  /** The digest of the question as it was asked. */
  question: string
  /** An `ElicitResult`, unchanged. */
  response: JsonObject
}

/** A call between two rounds. Nothing of it is stored here: the client holds it and sends it back. */
export interface CallState {
  /** The prefix of the ids of all rounds. */
  callId: string
  round: number
  answers: readonly SealedAnswer[]
  /** The questions of this round, each with the name under which its answer is sent. */
  asked: readonly { key: string; question: string }[]
}

/** The owner of a state; for any other owner the state is refused. */
export interface StateOwner {
  operation: string
  name: string
  arguments: JsonObject
  caller: string
}

/** The result of opening a state. */
type OpenedState = { ok: true; state: CallState } | { ok: false; message: string }

/** Seals states so that only this key opens them, only for their owner, once, and for a limited time. */
export interface StateSealer {
  seal(state: CallState, owner: StateOwner): string
  /** Rejects with an `RpcError` if it cannot be recorded that the state is used. */
  open(sealed: string, owner: StateOwner): Promise<OpenedState>
}

/**
 * Records that a state is used. Of all calls with the same `state`, also of other processes and after a restart, one may resolve to true. `state`
 * identifies the state and contains nothing of it. After `expires`, in milliseconds since 1970, no server whose clock is right accepts the state.
 */
export type SpendState = (state: string, expires: number) => Promise<boolean>

/** How the states are sealed that clients hold between two questions of a call (MCP 2026-07-28). */
export interface StateOptions {
  /** 32 bytes that seal the states. Default: random, so that a call cannot continue in another process. */
  readonly stateKey?: Uint8Array
  /**
   * Records that a state is used. Needed if processes have the same `stateKey`. If it rejects, the call does not continue. Default: the states are
   * remembered by this process alone.
   */
  readonly spendState?: SpendState
}

/** Milliseconds in which a person may answer. */
const LIFETIME_MS = 60 * 60 * 1000
const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

/**
 * Creates a sealer. Without a key, states are valid for this process only. Without `spend`, only this process knows which states it has opened. Throws a
 * `ServeError` if the key has another length.
 */
export function createStateSealer({
  key = randomBytes(KEY_BYTES),
  spend: spendState,
  lifetimeMs = LIFETIME_MS,
  now = Date.now,
}: {
  key?: Uint8Array | undefined
  spend?: SpendState | undefined
  lifetimeMs?: number
  now?: () => number
} = {}): StateSealer {
  if (key.length !== KEY_BYTES) throw wrongKey(key.length)
  let latest = 0
  /** A clock that is set back must not make expired states valid again: they may have been opened, and forgotten since. */
  const getTime = (): number => (latest = Math.max(latest, now()))
  const spend = spendState ?? createSpent(getTime)
  return {
    seal: (state, owner) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce)
      const payload = { ...state, owner: digest(owner), expires: getTime() + lifetimeMs }
      const sealed = [cipher.update(JSON.stringify(payload), 'utf8'), cipher.final()]
      return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64url')
    },
    open: async (sealed, owner) => {
      const bytes = Buffer.from(sealed, 'base64url')
      const payload = unseal(bytes, key)
      if (!payload) return refused('was not issued by this server, or was changed')
      const { owner: belongsTo, expires, ...state } = payload
      if (belongsTo !== digest(owner))
        return refused('was issued for other arguments, another tool or another client')
      if (getTime() > expires) return refused('has expired')
      const isFirst = await spend(bytes.toString('base64url', 0, NONCE_BYTES), expires).catch(
        refuseUnrecorded,
      )
      return isFirst ? { ok: true, state } : refused('was already used')
    },
  }
}

/** Remembers states until they expire. */
function createSpent(getTime: () => number): SpendState {
  const spent = new Map<string, number>()
  return async (state, expires) => {
    if (spent.has(state)) return false
    const now = getTime()
    // In the order of opening, which is almost that of their expiry.
    for (const [each, until] of spent) {
      if (until >= now) break
      spent.delete(each)
    }
    spent.set(state, expires)
    return true
  }
}

function wrongKey(got: number): ServeError {
  return new ServeError(
    'wrong-state-key',
    `"stateKey": expected ${KEY_BYTES} bytes, got ${got}; randomBytes(${KEY_BYTES}) of node:crypto creates them.`,
  )
}

function refuseUnrecorded(cause: unknown): never {
  const reason = getErrorText(cause)
  throw new RpcError(
    INTERNAL_ERROR,
    `The call does not continue, because it could not be recorded that its "requestState" is used: ${reason}`,
  )
}

/** Returns the digest of a JSON value; equal values have equal digests. */
export function digest(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url')
}

type SealedPayload = CallState & { owner: string; expires: number }

function unseal(bytes: Buffer, key: Uint8Array): SealedPayload | undefined {
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined
  try {
    const opener = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    opener.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const opened = [opener.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), opener.final()]
    const payload: unknown = JSON.parse(Buffer.concat(opened).toString('utf8'))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nobody else has the key
    return isJsonObject(payload) ? (payload as unknown as SealedPayload) : undefined
  } catch {
    return undefined
  }
}

function refused(why: string): OpenedState {
  return {
    ok: false,
    message: `The "requestState" ${why}. Make the call again without it.`,
  }
}
