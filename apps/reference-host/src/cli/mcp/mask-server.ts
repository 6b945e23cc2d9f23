import type { ServerTable } from './read-host-server.ts'

/** What is shown in place of a secret. */
const MASK = '***'

const SECRET_NAME = /key|token|secret|passw|pwd|auth|credential|cookie|signature|\bpat\b|_pat$/i

/** Decides whether the value of a variable, a header or an argument is masked. */
type SecretRule = (name: string, value: string) => boolean

/** Whether a value is probably a secret: by its name, or because it is a long text of letters and digits. */
export function isSecret(name: string, value: string): boolean {
  return isNamedSecret(name, value) || isRandom(getLiteral(value))
}

/** Whether the name of a value says that it is a secret. */
function isNamedSecret(name: string, value: string): boolean {
  const literal = getLiteral(value)
  if (literal === '' || /^(?:bearer|basic|token)$/i.test(literal)) return false
  return SECRET_NAME.test(name)
}

/** Returns the text of a value besides its references to variables. */
function getLiteral(value: string): string {
  return value.replaceAll(REFERENCE, '').trim()
}

const REFERENCE = /\$\{[A-Za-z_]\w*(?::-[^}]*)?\}/g

function isRandom(text: string): boolean {
  return /^[\w+=-]{20,}$/.test(text) && /\d/.test(text) && /[a-z]/i.test(text)
}

/** Returns the variables and headers with values that are probably secrets. */
export function findSecretNames({ env = {}, headers = {} }: ServerTable): readonly string[] {
  return [...Object.entries(env), ...Object.entries(headers)]
    .filter(([name, value]) => isSecret(name, value))
    .map(([name]) => name)
}

/** Replaces the values of variables and headers, and probable secrets in arguments and addresses. References such as `${TOKEN}` stay. */
export function maskServer(table: ServerTable): ServerTable {
  return maskTable(table, { words: isSecret, values: () => true })
}

/**
 * Replaces only values whose names say that they are secrets. A person who decides about a server sees all else: a variable such as `NODE_OPTIONS`
 * or the name of a package may look like a secret, and decides which program runs.
 */
export function maskNamedSecrets(table: ServerTable): ServerTable {
  return maskTable(table, { words: isNamedSecret, values: isNamedSecret })
}

function maskTable(
  table: ServerTable,
  { words, values }: { words: SecretRule; values: SecretRule },
): ServerTable {
  const url = maskUrl(table.url, words)
  return {
    ...table,
    ...(table.args && { args: maskWords(table.args, words) }),
    ...(url !== undefined && { url }),
    ...(table.env && { env: maskValues(table.env, values) }),
    ...(table.headers && { headers: maskValues(table.headers, values) }),
  }
}

function maskValues(
  values: Readonly<Record<string, string>>,
  isMasked: SecretRule,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isMasked(name, value) ? maskLiteral(value) : value,
    ]),
  )
}

/** Keeps references, and replaces the text around them. */
function maskLiteral(value: string): string {
  const scheme = /^(?:Bearer|Basic|Token) /i.exec(value)?.[0] ?? ''
  const references = value.match(REFERENCE) ?? []
  const literal = value.slice(scheme.length).replaceAll(REFERENCE, '')
  return `${scheme}${literal === '' ? references.join('') : `${MASK}${references.join('')}`}`
}

/** Masks `--token=…`, the word after `--token`, `TOKEN=…`, `Authorization: …`, and words that look random. */
export function maskWords(
  words: readonly string[],
  isMasked: SecretRule = isSecret,
): readonly string[] {
  return words.map((word, at) => {
    const before = words[at - 1] ?? ''
    const isValue = /^-{1,2}[\w-]+$/.test(before) && !word.startsWith('-')
    return isValue && isNamedSecret(before, word) ? MASK : maskWord(word, isMasked)
  })
}

function maskWord(word: string, isMasked: SecretRule): string {
  if (/^[a-z][a-z+.-]*:\/\//i.test(word)) return maskUrl(word, isMasked) ?? word
  const { name, value } = /^(?<name>[\w-]+(?:=|:\s*))(?<value>.+)$/s.exec(word)?.groups ?? {}
  if (name !== undefined && value !== undefined)
    return isMasked(name, value) ? `${name}${MASK}` : word
  return isMasked('', word) && !/^[a-z]+(?:-[a-z\d]+)*$/.test(word) ? MASK : word
}

/** Replaces the password of an address, and values of its query whose names are those of secrets. */
export function maskUrl(
  text: string | undefined,
  isMasked: SecretRule = isSecret,
): string | undefined {
  if (text === undefined) return undefined
  return text
    .replace(/^([a-z][a-z+.-]*:\/\/[^/?#@]*:)[^/?#@]*@/i, `$1${MASK}@`)
    .replaceAll(/([?&#])([^=&#]+)=([^&#]*)/g, (whole, mark: string, name: string, value: string) =>
      isMasked(name, value) ? `${mark}${name}=${MASK}` : whole,
    )
}
