import { isJsonObject, type JsonObject, type JsonValue } from '@toolblocks/protocol'

/** What a server asks of a person. */
export type Elicitation =
  | { mode: 'form'; message: string; schema: JsonObject }
  | { mode: 'url'; message: string; url: string }

/** Reads the parameters of `elicitation/create`, as they came: the SDKs drop `pattern` and whole kinds of fields. */
export function readElicitation(params: unknown): Elicitation | undefined {
  if (!isJsonObject(params)) return undefined
  const { mode = 'form', url, requestedSchema } = params
  const message = typeof params['message'] === 'string' ? params['message'] : ''
  if (mode === 'url') return typeof url === 'string' ? { mode, message, url } : undefined
  if (mode !== 'form' || !isJsonObject(requestedSchema)) return undefined
  return { mode, message, schema: { type: 'object', ...requestedSchema } }
}

/** The defaults of a form's fields, by name. */
export function defaultsOf(schema: JsonObject): Readonly<Record<string, JsonValue>> {
  const { properties } = schema
  const defaults: [string, JsonValue][] = []
  for (const [name, property] of Object.entries(isJsonObject(properties) ? properties : {}))
    if (isJsonObject(property) && property['default'] !== undefined)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it came as JSON
      defaults.push([name, property['default'] as JsonValue])
  return Object.fromEntries(defaults)
}
