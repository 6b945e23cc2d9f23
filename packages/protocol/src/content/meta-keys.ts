import { type JsonObject, isJsonObject } from '../json/json.ts'

/** `_meta` key of `ErrorDetails`. */
export const META_ERROR = 'computer.jp/error'

/** `_meta` key of a live tool's `Status`. */
export const META_STATUS = 'computer.jp/status'

/** `_meta` key under which a `metadata` or `id` that came over a wire is kept: a claim, not a fact. */
export const META_WIRE = 'toolblocks/wire'

/** `_meta` key of the identity of a resource whose content was left out of a result; `null` where it has none. */
export const META_IDENTITY = 'toolblocks/identity'

/** `_meta` key of a text block that quotes what a server or a program said, behind the sentence of a host. */
export const META_QUOTED = 'toolblocks/quoted'

/** `_meta` key of a call that no model made: `host`, for one that a host made with what a person answered. */
export const META_MADE_BY = 'toolblocks/made-by'

/** `_meta` key with the `seq` of the `ToolRequest` that a live tool's line replies to. */
export const META_RE = 'toolblocks/re'

/** `_meta` key under which a host that serves a result elsewhere hands on its warnings. */
export const META_WARNINGS = 'toolblocks/warnings'

/** Returns the block or result with values the host must not take for its own kept in `_meta["toolblocks/wire"]`. */
export function withOriginalWireFields(object: JsonObject, claims: JsonObject): JsonObject {
  const meta = isJsonObject(object['_meta']) ? object['_meta'] : {}
  const earlier = isJsonObject(meta[META_WIRE]) ? meta[META_WIRE] : {}
  return { ...object, _meta: { ...meta, [META_WIRE]: { ...earlier, ...claims } } }
}
