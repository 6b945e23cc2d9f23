import { has, isCount, isJsonObject, isOneOf, isSha256, isString, mayHave } from '../json/json.ts'

/** How much of a resource a model was given. */
export const DELIVERY_FORMS = ['full', 'cut', 'reference'] as const

/** How all of a resource reached a model: its text, the `formatted` text of its block, its bytes as media, or the last two beside each other. */
export const DELIVERY_WAYS = ['text', 'formatted', 'media', 'formatted-and-media'] as const

/** One resource as a model was given it; appended to the conversation so that nothing is rendered anew. */
export interface Delivery {
  /** The call whose result had the resource; empty where it came with a person's message. */
  callId: string
  /** Index of the block in the result, or in the message. */
  block: number
  /** Canonical. */
  uri: string
  /** Of the raw content, 64 lower-case hexadecimal digits. */
  sha256: string
  /** Counted from 1 in its conversation. */
  turn: number
  /** All of it, a part, or a line that points to where it was given before. */
  form: (typeof DELIVERY_FORMS)[number]
  /**
   * How all of it was given, or of a reference, how that was given to which it points. Absent in older records and of what was cut: then nothing is
   * pointed there.
   */
  as?: (typeof DELIVERY_WAYS)[number]
  /** With `as: 'formatted'` and `'formatted-and-media'`: SHA-256 of that text, 64 lower-case hexadecimal digits. */
  formatted?: string
  /** Of a reference: the delivery to which its line points. Absent in older records. */
  pointsTo?: DeliveryPlace
}

/** Where all of a resource was given: see the fields of `Delivery`. */
export interface DeliveryPlace {
  callId: string
  /** Index of the block in the result, or in the message. */
  block: number
  /** Counted from 1. */
  turn: number
}

/** Says whether a value is a `Delivery`. */
export function isDelivery(value: unknown): value is Delivery {
  return (
    isJsonObject(value) &&
    has(value, 'callId', isString) &&
    has(value, 'block', isCount) &&
    has(value, 'uri', isString) &&
    has(value, 'sha256', isSha256) &&
    has(value, 'turn', isCount) &&
    has(value, 'form', isOneOf(DELIVERY_FORMS)) &&
    mayHave(value, 'as', isOneOf(DELIVERY_WAYS)) &&
    mayHave(value, 'formatted', isSha256) &&
    mayHave(value, 'pointsTo', isPlace)
  )
}

function isPlace(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    has(value, 'callId', isString) &&
    has(value, 'block', isCount) &&
    has(value, 'turn', isCount)
  )
}
