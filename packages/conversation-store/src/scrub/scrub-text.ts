import { BEFORE_CORE, type Base64Form, formsInBytes, type SecretForms } from './secret-forms.ts'

/** What stands where a value was. */
const MARK = '[scrubbed]'
const FILL = '*'

/** A text without a value: a mark stands where it was; base64 stays base64, with other bytes. */
export function scrubText(text: string, forms: SecretForms): string {
  return replaceAll(text, forms, () => MARK)
}

/** Bytes without a value: others stand where it was, as many as before, so that formats stay whole. */
export function scrubBytes(bytes: Uint8Array, forms: SecretForms): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const scrubbed = replaceAll(text, formsInBytes(forms), (form) => FILL.repeat(form.length))
  return scrubbed === text ? bytes : new Uint8Array(Buffer.from(scrubbed, 'latin1'))
}

/** JSON without a value, in strings, names and numbers; what it says beside that stays character for character. */
export function scrubJson(
  json: string,
  forms: SecretForms,
  renamed: ReadonlyMap<string, string>,
): string {
  return json.replaceAll(TOKENS, (token) => {
    if (!token.startsWith('"'))
      return forms.texts.some((form) => token.includes(form)) ? '0' : token
    const text: unknown = JSON.parse(token)
    if (typeof text !== 'string') return token
    const scrubbed = renamed.get(text) ?? scrubText(text, forms)
    return scrubbed === text ? token : JSON.stringify(scrubbed)
  })
}

/** Strings and numbers of JSON. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs

function replaceAll(
  text: string,
  { texts, base64 }: SecretForms,
  mark: (form: string) => string,
): string {
  let result = text
  for (const form of base64) result = replaceBase64(result, form)
  for (const form of texts)
    if (result.includes(form)) result = result.replaceAll(form, () => mark(form))
  return result
}

function replaceBase64(text: string, form: Base64Form): string {
  const parts: string[] = []
  let from = 0
  for (let at = text.indexOf(form.core); at !== -1; at = text.indexOf(form.core, from)) {
    const start = Math.max(from, at - BEFORE_CORE[form.offset])
    const groups = Math.ceil((form.offset + form.length) / 3)
    const end = Math.max(at + form.core.length, Math.min(text.length, start + 4 * groups))
    parts.push(text.slice(from, start), fillBase64(text.slice(start, end), form))
    from = end
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(from)
}

/** Puts other bytes where the value was; what is not base64 behind it stays. */
function fillBase64(groups: string, { offset, length }: Base64Form): string {
  const [encoded = ''] = /^[A-Za-z0-9+/_-]*={0,2}/.exec(groups) ?? []
  const bytes = Buffer.from(encoded, 'base64')
  bytes.fill(FILL, offset, offset + length)
  const alphabet = /[-_]/.test(encoded) ? 'base64url' : 'base64'
  return bytes.toString(alphabet).slice(0, encoded.length) + groups.slice(encoded.length)
}
