import { isJsonObject, type InputRequest, isSecret } from '@toolblocks/protocol'
import { mapSchema } from './map-schema.ts'

/** A question as it may be recorded: one for a secret without the values that it or its schema offers. */
export function withoutSecrets(request: InputRequest): InputRequest {
  if (!isSecret(request)) return request
  const { default: _secret, schema, ...rest } = request
  return { ...rest, schema: isJsonObject(schema) ? mapSchema(schema, withoutOffer) : schema }
}

function withoutOffer(keyword: string, value: unknown): unknown {
  return keyword === 'default' || keyword === 'examples' ? undefined : value
}
