import { has, isCount, isJsonObject, isOneOf, isSha256, isString, mayHave } from '../json/json.ts'

/** How much of a resource a model received. */
export const DELIVERY_FORMS = ['full', 'cut', 'reference'] as const

/** How a model received a resource in full: its text, the `formatted` text of its block, its bytes as media, or the last two together. */
export const DELIVERY_WAYS = ['text', 'formatted', 'media', 'formatted-and-media'] as const

/** The delivery of one resource to a model. It is appended to the conversation, so that nothing is formatted again. */
export interface Delivery {
  /** The call whose result had the resource; empty for a resource in a user message. */
  callId: string
  /** Index of the block in the result, or in the message. */
  block: number
  /** Canonical. */
  uri: string
  /** Of the raw content, 64 lower-case hexadecimal digits. */
  sha256: string
  /** Counted from 1 in its conversation. */
  turn: number
  /** The full content, a part of it, or a reference to an earlier delivery. */
  form: (typeof DELIVERY_FORMS)[number]
  /**
   * How the full content was given; for a reference, how its target was given. Absent in older records and for truncated content: then no reference
   * points to it.
   */
  as?: (typeof DELIVERY_WAYS)[number]
  /** With `as: 'formatted'` and `'formatted-and-media'`: SHA-256 of that text, 64 lower-case hexadecimal digits. */
  formatted?: string
  /** For a reference: its target. Absent in older records. */
  pointsTo?: DeliveryPlace
}

/** The place of a full delivery; see the fields of `Delivery`. */
interface DeliveryPlace {
  callId: string
  /** Index of the block in the result, or in the message. */
  block: number
  /** From 1. */
  turn: number
}

/** Whether a value is a `Delivery`. */
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
