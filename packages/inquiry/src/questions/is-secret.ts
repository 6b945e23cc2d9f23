import { isJsonObject, type InputRequest, type JsonSchema } from '@toolblocks/protocol'

const SECRET_WORDS =
  /(^|[^a-z])(pass(word|phrase|code)?|secret|token|api[ _-]?key|otp|pin|card[ _-]?number|cvv|ssn|credentials?)([^a-z]|$)/i

/** Whether an answer must not be recorded or asked of a model: by its schema, or by what the question is called. */
export function isSecret({ id, text, schema }: InputRequest): boolean {
  return isSecretSchema(schema) || SECRET_WORDS.test(spaced(id)) || SECRET_WORDS.test(text)
}

/** Looks everywhere, also at alternatives and behind references: too much kept secret harms less than too little. */
function isSecretSchema(schema: JsonSchema): boolean {
  const open: unknown[] = [schema]
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (!isJsonObject(part)) {
      if (Array.isArray(part)) for (const item of part) open.push(item)
      continue
    }
    const { format, writeOnly, properties } = part
    if (format === 'password' || writeOnly === true) return true
    const names = isJsonObject(properties) ? Object.keys(properties) : []
    if (names.some((name) => SECRET_WORDS.test(spaced(name)))) return true
    for (const item of Object.values(part)) open.push(item)
  }
  return false
}

/** `apiKey` and `api_key` are words too. */
function spaced(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
}
