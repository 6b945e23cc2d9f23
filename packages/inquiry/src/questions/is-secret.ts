import type { InputRequest, JsonSchema } from '@toolblocks/protocol'

const SECRET_WORDS =
  /(^|[^a-z])(pass(word|phrase|code)?|secret|token|api[ _-]?key|otp|pin|card[ _-]?number|cvv|ssn|credentials?)([^a-z]|$)/i

/** Whether an answer must not be recorded or asked of a model: by its schema, or by what the question is called. */
export function isSecret({ id, text, schema }: InputRequest): boolean {
  return isSecretSchema(schema) || SECRET_WORDS.test(spaced(id)) || SECRET_WORDS.test(text)
}

function isSecretSchema(schema: JsonSchema): boolean {
  if (typeof schema === 'boolean') return false
  if (schema['format'] === 'password' || schema['writeOnly'] === true) return true
  const properties = schema['properties']
  if (typeof properties !== 'object' || properties === null) return false
  return Object.entries(properties).some(
    ([name, property]: [string, unknown]) =>
      SECRET_WORDS.test(spaced(name)) ||
      (typeof property === 'object' && property !== null && isSecretSchema({ ...property })),
  )
}

/** `apiKey` and `api_key` are words too. */
function spaced(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
}
