import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'

/** The `_meta` key of an event under which it keeps what only the AI SDK needs. */
export const UI_MESSAGE = 'ai-sdk/ui-message'

/** What the result of a call holds of its part: an output that is a result, a text or other JSON, or nothing. */
const RESULTS = ['result', 'text', 'json', 'nothing'] as const

/** A part of a message without the values that its event holds. */
export interface PartRecord {
  /** The fields that the events do not hold. */
  part: JsonObject
  /** Where the text or data of the part is: the index of a block. */
  block?: number
  /** Whether the arguments of the call are the `input` of the part. */
  input?: true
  /** What the result holds. Absent: the call has no result. */
  result?: (typeof RESULTS)[number]
  /** The id that the output itself has, with `result`. */
  id?: string
}

/** What an event keeps for the message that it belongs to. */
export interface MessageRecord {
  /** The fields of the message except its parts. Present in the first event of the message. */
  message?: JsonObject
  parts: readonly PartRecord[]
}

/** Returns the record of an event. */
export function findRecord(event: object): MessageRecord | undefined {
  const meta = isJsonObject(event) ? getOwnField(event, '_meta') : undefined
  const record = isJsonObject(meta) ? getOwnField(meta, UI_MESSAGE) : undefined
  if (!isJsonObject(record)) return undefined
  const message = getOwnField(record, 'message')
  const parts = getOwnField(record, 'parts')
  return {
    ...(isJsonObject(message) && { message }),
    parts: Array.isArray(parts) ? parts.flatMap(readPart) : [],
  }
}

function readPart(value: unknown): PartRecord[] {
  if (!isJsonObject(value)) return []
  const part = getOwnField(value, 'part')
  if (!isJsonObject(part)) return []
  const block = getOwnField(value, 'block')
  const id = getOwnField(value, 'id')
  const recordedResult = getOwnField(value, 'result')
  const result = RESULTS.find((each) => each === recordedResult)
  return [
    {
      part,
      ...(typeof block === 'number' && { block }),
      ...(getOwnField(value, 'input') === true && { input: true }),
      ...(result && { result }),
      ...(typeof id === 'string' && { id }),
    },
  ]
}
