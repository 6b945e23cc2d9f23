import {
  type InputRequest,
  isJsonObject,
  isSecret,
  type JsonObject,
  mapSchema,
} from '@toolblocks/protocol'

/** A question as it may be recorded: one for a secret without the values that it or its schema offers. */
export function withoutSecrets(request: InputRequest): InputRequest {
  if (!isSecret(request)) return request
  const { default: _secret, schema, ...rest } = request
  return { ...rest, schema: isJsonObject(schema) ? mapSchema(schema, withoutOffer) : schema }
}

function withoutOffer({ default: _default, examples: _examples, ...rest }: JsonObject): JsonObject {
  return rest
}
