import { isJsonObject, type JsonObject } from '@toolblocks/protocol'

/** What is no object has no fields. */
export function toObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}
