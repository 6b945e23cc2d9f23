import type { Delivery } from '@toolblocks/protocol'
import { hasWords } from './way-of.ts'

/** What a resource is, and how all of it was or would be given. */
export type GivenResource = Pick<Delivery, 'uri' | 'sha256' | 'as' | 'formatted'>

/** What a model was given before, by what it is. */
export interface DeliveryLedger {
  /** The last delivery of all of a resource in the same way; `undefined` where the model has not been given it so. */
  find(resource: GivenResource): Delivery | undefined
}

/** Which deliveries a model can still be pointed to. */
export interface LedgerOptions {
  /** Turns before this one are too far back. Default: 1. */
  fromTurn?: number
  /** Says whether a delivery is no longer in what the model gets, for example because its turn was compacted. Default: none is. */
  isGone?: (delivery: Delivery) => boolean
}

/**
 * Reads the deliveries of a conversation, in their order. Only what was given in full can be pointed to, and only where the record says how it was
 * given: older ones do not, and `findStanding` reads it from the results.
 */
export function createDeliveryLedger(
  deliveries: Iterable<Delivery>,
  { fromTurn = 1, isGone = () => false }: LedgerOptions = {},
): DeliveryLedger {
  const full = new Map<string, Delivery>()
  for (const delivery of deliveries) {
    const key = keyOf(delivery)
    if (key === undefined || delivery.form !== 'full' || delivery.turn < fromTurn) continue
    if (!isGone(delivery)) full.set(key, delivery)
  }
  return {
    find: (resource) => {
      const key = keyOf(resource)
      return key === undefined ? undefined : full.get(key)
    },
  }
}

/** What two deliveries share that give the same; `undefined` where it is not known. A hash has a fixed length, so the parts cannot run into each other. */
export function keyOf({ uri, sha256, as, formatted }: GivenResource): string | undefined {
  if (as === undefined || (hasWords(as) && formatted === undefined)) return undefined
  return `${as} ${hasWords(as) ? formatted : ''} ${sha256} ${uri}`
}

/** Where a delivery stands, or points to; of an older reference, which does not say where, only what it is. */
export function placeOf(delivery: Delivery): string {
  const { uri, sha256, form, pointsTo } = delivery
  const what = `${sha256} ${uri}`
  if (form === 'reference' && !pointsTo) return what
  const { callId, block, turn } = pointsTo ?? delivery
  return JSON.stringify([turn, callId, block, what])
}
