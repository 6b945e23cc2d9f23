import type { Documents } from '@toolblocks/conversation-store'
import { isJsonObject } from '@toolblocks/protocol'

/** What a store knows of a call of a client of `serve` that a later host can continue. The call itself is in its conversation. */
export interface ParkedCall {
  /** `waiting`: for a person, and nothing of it is executed meanwhile. `running`: it may have been executed. */
  state: 'waiting' | 'running'
  /** The conversations in which it was made, the first one first. The host of the last one owns it. */
  conversations: readonly string[]
  /** ISO 8601, UTC. */
  startedAt: string
  /** Whether its host ends. */
  isEnding?: boolean
}

/** The collection of the documents. Their ids are those of the calls, and their state is the key of the call. */
export const PARKED_CALLS = 'parked-call'

/** Reads what is known of a call; `undefined`: it is not parked. */
export async function findParkedCall(
  documents: Pick<Documents, 'read'>,
  callId: string,
): Promise<ParkedCall | undefined> {
  const value = (await documents.read(PARKED_CALLS, callId))?.value
  return isParkedCall(value) ? value : undefined
}

export function isParkedCall(value: unknown): value is ParkedCall {
  return (
    isJsonObject(value) &&
    (value['state'] === 'waiting' || value['state'] === 'running') &&
    Array.isArray(value['conversations']) &&
    value['conversations'].every((each) => typeof each === 'string') &&
    typeof value['startedAt'] === 'string'
  )
}
