import { isJsonObject } from '../json/fields.ts'
import type { JsonObject } from '../json/json.ts'
import { META_WIRE } from '../meta-keys.ts'

/** Returns the block or result with values the host must not take for its own kept in `_meta["toolblocks/wire"]`. */
export function withWireClaims(object: JsonObject, claims: JsonObject): JsonObject {
  const meta = isJsonObject(object['_meta']) ? object['_meta'] : {}
  const earlier = isJsonObject(meta[META_WIRE]) ? meta[META_WIRE] : {}
  return { ...object, _meta: { ...meta, [META_WIRE]: { ...earlier, ...claims } } }
}
