import { has, isCount, isJsonObject, isOneOf, isSha256, isString } from './json/fields.ts'

/** How much of a resource a model was given. */
export const DELIVERY_FORMS = ['full', 'cut', 'reference'] as const

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
    has(value, 'form', isForm)
  )
}

function isForm(value: unknown): boolean {
  return isOneOf(DELIVERY_FORMS, value)
}
