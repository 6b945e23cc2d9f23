import type { Delivery } from '@toolblocks/protocol'

/** What a model was given before, by what it is. */
export interface DeliveryLedger {
  /** The first delivery of all of a resource; `undefined` where the model has not been given it. */
  find(resource: Pick<Delivery, 'uri' | 'sha256'>): Delivery | undefined
}

/** Which deliveries a model can still be pointed to. */
export interface LedgerOptions {
  /** Turns before this one are too far back. Default: 1. */
  fromTurn?: number
  /** Says whether a delivery is no longer in what the model gets, for example because its turn was compacted. Default: none is. */
  isGone?: (delivery: Delivery) => boolean
}

/** Reads the deliveries of a conversation, in their order. Only what was given in full can be pointed to. */
export function createDeliveryLedger(
  deliveries: Iterable<Delivery>,
  { fromTurn = 1, isGone = () => false }: LedgerOptions = {},
): DeliveryLedger {
  const full = new Map<string, Delivery>()
  for (const delivery of deliveries) {
    const key = keyOf(delivery)
    if (delivery.form !== 'full' || delivery.turn < fromTurn || full.has(key)) continue
    if (!isGone(delivery)) full.set(key, delivery)
  }
  return { find: (resource) => full.get(keyOf(resource)) }
}

/** A hash has a fixed length, so the two parts cannot run into each other. */
function keyOf({ uri, sha256 }: Pick<Delivery, 'uri' | 'sha256'>): string {
  return `${sha256} ${uri}`
}
