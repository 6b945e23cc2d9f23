import { type JsonObject, isJsonObject } from '../json/json.ts'

/** `_meta` key of `ErrorDetails`. */
export const META_ERROR = 'computer.jp/error'

/** `_meta` key of the `Status` of a stateful call. */
export const META_STATUS = 'computer.jp/status'

/** `_meta` key for a `metadata` or `id` that was received: a claim, not a fact. */
export const META_WIRE = 'toolblocks/wire'

/** `_meta` key for the identity of a resource that was removed from a result; `null` if it has none. */
export const META_IDENTITY = 'toolblocks/identity'

/** `_meta` key of a text block that quotes a server or a program, after a sentence of the host. */
export const META_QUOTED = 'toolblocks/quoted'

/** `_meta` key of a call that no model made: `host` if the host made it with a person's answers. */
export const META_MADE_BY = 'toolblocks/made-by'

/** `_meta` key of a call that an MCP client made: the `_meta` of its request, which an MCP server receives in turn. */
export const META_CLIENT = 'toolblocks/client'

/** `_meta` key for the `seq` of the `ToolRequest` that a line of a stateful tool replies to. */
export const META_RE = 'toolblocks/re'

/** `_meta` key for the warnings of a result that a host serves to another host. */
export const META_WARNINGS = 'toolblocks/warnings'

/** Returns the block or result with untrusted values kept under `_meta["toolblocks/wire"]`. */
export function withOriginalWireFields(object: JsonObject, claims: JsonObject): JsonObject {
  const meta = isJsonObject(object['_meta']) ? object['_meta'] : {}
  const earlier = isJsonObject(meta[META_WIRE]) ? meta[META_WIRE] : {}
  return { ...object, _meta: { ...meta, [META_WIRE]: { ...earlier, ...claims } } }
}
