import { isJsonObject, parseJson } from '@toolblocks/protocol/json'
import { MAX_JSON_DEPTH } from '@toolblocks/protocol/limits'

/** Shorter texts are no secrets: they occur in every text. */
const MIN_LENGTH = 4
/** How many secrets are known at most; the oldest ones are forgotten first. */
const MAX_KNOWN = 1000
/** Levels of a JSON value that are searched. */
const MAX_DEPTH = 4 * MAX_JSON_DEPTH
/** Replaces a secret in a text. */
const MASK = '***'
/** Headers of a request whose values are secrets. */
const SECRET_HEADERS = /^(?:proxy-)?authorization$|^cookie$|api-?key|token|secret|password/i

/** The secrets that this process has sent or received, with the origin of the server that they are for. */
const known = new Map<string, string>()
/** What finds the secrets, by the origin of the text; made again when a secret is added. */
const patterns = new Map<string | undefined, RegExp | undefined>()

/**
 * Remembers secrets: tokens, codes, verifiers, client secrets. From then on no text from outside contains one, whoever sent it. `origin` is that of the
 * server that they are for.
 */
export function rememberSecrets(origin: string, secrets: readonly (string | undefined)[]): void {
  for (const secret of secrets) {
    if (secret === undefined || secret.length < MIN_LENGTH || known.get(secret) === origin) continue
    known.set(secret, origin)
    const [oldest = ''] = known.keys()
    if (known.size > MAX_KNOWN) known.delete(oldest)
    patterns.clear()
  }
}

/** Remembers the secrets in the headers of a request. */
export function rememberHeaders(
  origin: string,
  headers: Iterable<readonly [string, string]>,
): void {
  for (const [name, value] of headers) {
    if (!SECRET_HEADERS.test(name)) continue
    // The scheme of `Authorization` is no secret.
    rememberSecrets(origin, [/^\w+ +(\S+)$/.exec(value)?.[1] ?? value])
  }
}

/** Replaces the known secrets in a text. `origin` is that of the server that sent the text, if it is known. */
export function maskText(text: string, origin?: string): string {
  if (known.size === 0) return text
  const pattern = getPattern(origin)
  return pattern ? text.replace(pattern, MASK) : text
}

/** Replaces the known secrets in every text of a JSON value, also in keys. A value without one is returned unchanged. */
export function maskJson(value: unknown, origin?: string): unknown {
  return known.size === 0 ? value : maskValue(value, origin, 0)
}

function maskValue(value: unknown, origin: string | undefined, depth: number): unknown {
  // No reader accepts such a value.
  if (depth > MAX_DEPTH) return MASK
  if (typeof value === 'string') return maskText(value, origin)
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => maskValue(item, origin, depth + 1))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (!isJsonObject(value)) return value
  let isChanged = false
  const entries = Object.entries(value).map(([key, item]) => {
    const masked = [maskText(key, origin), maskValue(item, origin, depth + 1)] as const
    isChanged ||= masked[0] !== key || masked[1] !== item
    return masked
  })
  return isChanged ? Object.fromEntries(entries) : value
}

/** Replaces the known secrets in a body, also where JSON escapes their characters. */
export function maskBody(text: string, origin?: string): string {
  const value = parseJson(text)
  const masked = maskJson(value, origin)
  return maskText(masked === value ? text : JSON.stringify(masked), origin)
}

function getPattern(origin: string | undefined): RegExp | undefined {
  if (patterns.has(origin)) return patterns.get(origin)
  const words = [...known]
    .filter(([secret, owner]) => owner === origin || isRandom(secret))
    .flatMap(([secret]) => [secret, encodeURIComponent(secret)])
    // The longest first: one secret may begin with another one.
    .toSorted((one, other) => other.length - one.length)
    .map((word) => word.replaceAll(/[$()*+./?[\\\]^{|}-]/g, String.raw`\$&`))
  const pattern = words.length === 0 ? undefined : new RegExp(words.join('|'), 'g')
  patterns.set(origin, pattern)
  return pattern
}

/**
 * Whether a secret occurs in no text by chance. Only such a secret is replaced in the texts of other servers: otherwise a server could issue a word as
 * its token, and so remove it from what they say.
 */
function isRandom(secret: string): boolean {
  return /^[\w.~+/=-]{20,}$/.test(secret) && /\d/.test(secret) && /[a-z]/i.test(secret)
}
