import { requireArguments } from '../text/require-arguments.ts'
import type { InputRequest } from '../content/input-request.ts'
import { type JsonObject, type JsonSchema, isJsonObject } from '../json/json.ts'
import { escapeUnprintable } from '../json/json-text.ts'
import { quoteName } from '../text/describe-value.ts'

/** Names of secrets, in lower case and singular; two words as one name, or as consecutive names. */
const SECRET_NAMES = new Set(
  (
    'password passwd passphrase passcode pwd secret token otp pin cvv cvc ssn credential ' +
    'apikey accesskey secretkey privatekey creditcard cardnumber'
  ).split(' '),
)

/** Whether an answer must not be recorded and no model may be asked: its schema says so, or one of its texts is named like a secret. */
export function isSecret(question: Pick<InputRequest, 'id' | 'schema'>): boolean {
  requireArguments('isSecret(question)', [question, { id: 'string' }])
  const { id, schema } = question
  return isCalledSecret(id, schema) || hasSecretPart(schema)
}

function isCalledSecret(name: string, schema: unknown): boolean {
  return isText(schema) && isSecretName(name)
}

/** Searches everywhere, also in alternatives and references: a false alarm does less harm than a leaked secret. */
function hasSecretPart(schema: JsonSchema): boolean {
  const open: unknown[] = [schema]
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (Array.isArray(part)) for (const item of part) open.push(item)
    if (!isJsonObject(part)) continue
    const { format, writeOnly, properties } = part
    if (format === 'password' || writeOnly === true) return true
    if (
      isJsonObject(properties) &&
      Object.entries(properties).some(([name, property]) => isCalledSecret(name, property))
    )
      return true
    for (const item of Object.values(part)) open.push(item)
  }
  return false
}

/** Complete words, in any case style and number: `apiKey`, `API_KEYS`, `password2`; not `tokenizer`. */
function isSecretName(name: string): boolean {
  const parts = name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .map((word) => word.replace(/s$/, ''))
  return parts.some(
    (word, index) => SECRET_NAMES.has(word) || SECRET_NAMES.has(`${word}${parts[index + 1] ?? ''}`),
  )
}

/** Whether a person would type the value: any text or list of texts, but no choice and no number. */
function isText(schema: unknown): boolean {
  if (!isJsonObject(schema)) return true
  const { type, items } = schema
  if (isChoice(schema)) return false
  const types = Array.isArray(type) ? type : [type]
  if (types.includes('array')) return items === undefined || isText(items)
  return types.includes('string') || type === undefined
}

function isChoice({ enum: values, const: value, oneOf, anyOf }: JsonObject): boolean {
  const choices = oneOf ?? anyOf
  return (
    values !== undefined ||
    value !== undefined ||
    (Array.isArray(choices) && choices.every((choice) => isJsonObject(choice) && 'const' in choice))
  )
}

/** Describes a question for an answer, in one line for a model. The values that a secret offers are never shown. */
export function describeQuestion(request: InputRequest): string {
  requireArguments('describeQuestion(request)', [request, { text: 'string' }])
  const { id, text, schema, default: preselected } = request
  const asked = `question ${quoteName(id)}: ${quoteName(text.trim())}`
  if (isSecret(request)) return `[${asked}]`
  const offered = preselected === undefined ? '' : `; its default: ${inJson(preselected)}`
  return `[${asked}; the answer must match this JSON Schema: ${inJson(schema)}${offered}]`
}

function inJson(value: unknown): string {
  return escapeUnprintable(JSON.stringify(value))
}
