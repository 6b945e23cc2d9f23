import { requireArguments, parseJson, MAX_JSON_DEPTH } from '@toolblocks/protocol/internal'
import { isJsonObject } from '@toolblocks/protocol'

/** Shorter texts are no secrets: they occur in every text. */
const MIN_LENGTH = 4
/** How many secrets are known at most, and how many for one origin; those that were used least recently are forgotten first. */
const MAX_KNOWN = 1000
const MAX_FOR_ORIGIN = 200
/** Levels of a JSON value that are searched. */
const MAX_DEPTH = 4 * MAX_JSON_DEPTH
/** Replaces a secret in a text. */
const MASK = '***'
/** Headers of a request whose values are secrets. */
const SECRET_HEADERS = /^(?:proxy-)?authorization$|^cookie$|api-?key|token|secret|password/i
/** Parameters of an address whose values are secrets, if they are not shorter than any key. */
const SECRET_PARAMETERS = /(?:key|token|secret|password|signature|sig|auth)$/i
const MIN_PARAMETER_LENGTH = 12
/** The end of a secret by which it is found, in characters. Tokens often begin alike, and a pattern of complete tokens may take gigabytes. */
const MAX_ENDING = 16
/** How many characters are compared for every text, besides its length. */
const FREE_COMPARISONS = 1_000_000

/** A secret. */
interface KnownSecret {
  /** The origin of the server that it is for. */
  readonly origin: string
  /** Whether that server, or the one that it trusts with logins, has chosen it. */
  readonly isIssued: boolean
  /** Whether it occurs in no text by chance. */
  readonly isRandom: boolean
  /** How it is written in texts. */
  readonly spellings: ReadonlySet<string>
}

/** A way to write a secret. */
interface Spelling {
  readonly secret: KnownSecret
  readonly spelling: string
  /** Its last characters. */
  readonly ending: string
}

/** Finds secrets in a text by their last characters. */
interface Finder {
  /** Matches the longest ending at a place. */
  readonly endings: RegExp
  /** Returns the spellings whose ending is a start of a matched text. */
  getSpellings(match: string): readonly Spelling[]
}

/** The secrets that this process has sent or received, by origin and text; the most recently used one is the last. */
const known = new Map<string, KnownSecret>()
/** Made again after a secret was added. */
let finder: Finder | undefined

/**
 * Remembers secrets: tokens, codes, verifiers, client secrets. From then on no text from outside contains one, whoever sent it. `origin` is that of the
 * server that they are for. `isIssued`: a server has chosen them, which may be hostile: then they stay in the names and definitions of other servers.
 */
export function rememberSecrets(
  origin: string,
  secrets: readonly (string | undefined)[],
  { isIssued = false }: { isIssued?: boolean } = {},
): void {
  for (const text of secrets) {
    if (text === undefined || text.length < MIN_LENGTH) continue
    const key = `${origin} ${text}`
    const before = known.get(key)
    known.delete(key)
    known.set(key, before ?? { origin, isIssued, isRandom: isRandom(text), spellings: spell(text) })
    if (before) continue
    finder = undefined
    // A server that issues many tokens must not make this process forget those of others.
    const own = [...known].filter(([, secret]) => secret.origin === origin)
    if (own.length > MAX_FOR_ORIGIN) forgetOldest(own)
    if (known.size > MAX_KNOWN) forgetOldest(known)
  }
}

function forgetOldest(secrets: Iterable<readonly [key: string, secret: KnownSecret]>): void {
  const [oldest] = secrets
  if (oldest) known.delete(oldest[0])
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

/** Remembers the secrets in the address of a request: the keys of servers that get them in a parameter. A server may have chosen the address. */
export function rememberAddress({ origin, searchParams }: URL): void {
  const secrets = [...searchParams]
    .filter(([name, value]) => SECRET_PARAMETERS.test(name) && value.length >= MIN_PARAMETER_LENGTH)
    .map(([, value]) => value)
  rememberSecrets(origin, secrets, { isIssued: true })
}

/**
 * Replaces the known secrets in a text, also where JSON or an address escapes their characters. `origin` is that of the server that sent the text, if it
 * is known. Takes time in proportion to the text.
 */
export function maskText(text: string, origin?: string): string {
  return mask(text, { origin })
}

/** Where a text is from. */
interface Source {
  /** The origin of the server that sent it. */
  readonly origin: string | undefined
  /** Whether it is the name or a definition of that server, for example of a tool. */
  readonly isDefinition?: boolean
}

function mask(text: string, source: Source): string {
  if (known.size === 0 || text.length < MIN_LENGTH) return text
  finder ??= createFinder([...known.values()])
  const places = findSecrets(text, finder, source)
  if (places.length === 0) return text
  let end = 0
  const kept = places.map((secretPlace) => {
    const before = text.slice(end, secretPlace.start)
    end = secretPlace.end
    return before
  })
  return [...kept, text.slice(end)].join(MASK)
}

/** Where a secret is in a text. */
interface SecretPlace {
  readonly start: number
  readonly end: number
}

/** Returns the places of secrets, in their order. Secrets that overlap are one place. */
function findSecrets(
  text: string,
  { endings, getSpellings }: Finder,
  source: Source,
): readonly SecretPlace[] {
  const places: SecretPlace[] = []
  let comparisons = text.length + FREE_COMPARISONS
  endings.lastIndex = 0
  for (let match = endings.exec(text); match; match = endings.exec(text)) {
    const { index } = match
    comparisons -= MAX_ENDING
    for (const { secret, spelling, ending } of getSpellings(match[0])) {
      let end = index + ending.length
      let start = end - spelling.length
      if (start < 0 || !isMasked(secret, source)) continue
      // A text that contains the end of a secret very often is masked there without more comparisons.
      if (comparisons > 0 && !text.startsWith(spelling, start)) {
        comparisons -= spelling.length
        continue
      }
      for (let last = places.at(-1); last && last.end > start; last = places.at(-1)) {
        start = Math.min(start, last.start)
        end = Math.max(end, last.end)
        places.pop()
      }
      places.push({ start, end })
    }
    const next = comparisons > 0 ? 0 : (places.at(-1)?.end ?? 0)
    endings.lastIndex = Math.max(index + 1, next)
  }
  return places
}

function createFinder(secrets: readonly KnownSecret[]): Finder {
  const byEnding = new Map<string, Spelling[]>()
  for (const secret of secrets)
    for (const spelling of secret.spellings) {
      const ending = spelling.slice(-MAX_ENDING)
      const others = byEnding.get(ending) ?? []
      byEnding.set(ending, [...others, { secret, spelling, ending }])
    }
  const patterns = [...byEnding.keys()]
    // The longest first: one ending may begin with another one.
    .toSorted((one, other) => other.length - one.length)
    .map((word) => word.replaceAll(/[$()*+./?[\\\]^{|}-]/g, String.raw`\$&`))
  const matched = new Map<string, readonly Spelling[]>()
  return {
    endings: new RegExp(patterns.join('|'), 'g'),
    getSpellings: (match) => {
      const before = matched.get(match)
      if (before) return before
      const starts = Array.from({ length: match.length }, (_each, index) =>
        match.slice(0, index + 1),
      )
      const spellings = starts.flatMap((start) => byEnding.get(start) ?? [])
      matched.set(match, spellings)
      return spellings
    },
  }
}

/** Returns how a secret is written in texts: as it is, in a string of JSON, and in an address or a form. */
function spell(secret: string): ReadonlySet<string> {
  const inForm = new URLSearchParams([['', secret]]).toString().slice(1)
  // A half of a surrogate pair cannot be encoded otherwise.
  const inAddress = encodeURIComponent(secret.toWellFormed())
  const encoded = [inForm, inAddress].flatMap((text) => [
    text,
    text.replaceAll(/%../g, (code) => code.toLowerCase()),
  ])
  return new Set([secret, JSON.stringify(secret).slice(1, -1), ...encoded])
}

/** Whether a secret is replaced in the texts of a source. */
function isMasked(secret: KnownSecret, { origin, isDefinition = false }: Source): boolean {
  if (secret.origin === origin) return true
  return secret.isRandom && !(secret.isIssued && isDefinition)
}

/**
 * Whether a secret occurs in no text by chance. Only such a secret is replaced in the texts of other servers: otherwise a server could issue a word as
 * its token, and so remove it from what they say.
 */
function isRandom(secret: string): boolean {
  return /^[\x21-\x7e]{20,}$/.test(secret) && /\d/.test(secret) && /[a-z]/i.test(secret)
}

/** Replaces the known secrets in every text of a JSON value, also in keys. A value without one is returned unchanged. */
export function maskJson(value: unknown, origin?: string): unknown {
  return known.size === 0 ? value : maskValue(value, { origin }, 0)
}

/** What the results of requests contain that describe a server. */
const DEFINITIONS = [
  'protocolVersion',
  'supportedVersions',
  'tools',
  'prompts',
  'resources',
  'resourceTemplates',
]

/**
 * Replaces the known secrets in a message of MCP, or in several, like `maskJson`. A secret that another server has issued stays in definitions: a
 * hostile server could issue the name of a tool as its token, and so take the tool away.
 */
export function maskMessage(value: unknown, origin?: string): unknown {
  if (known.size === 0) return value
  const maskOne = (message: unknown): unknown =>
    maskValue(message, { origin, isDefinition: hasDefinitions(message) }, 0)
  return Array.isArray(value) ? value.map(maskOne) : maskOne(value)
}

/** What the results of other requests contain. */
const CONTENTS = ['content', 'structuredContent', 'contents', 'messages']

/** Whether a message describes its server, and has nothing else in which a server could repeat a secret. */
function hasDefinitions(message: unknown): boolean {
  const result = isJsonObject(message) ? message['result'] : undefined
  if (!isJsonObject(result)) return false
  const has = (key: string): boolean => Object.hasOwn(result, key)
  return DEFINITIONS.some(has) && !CONTENTS.some(has)
}

function maskValue(value: unknown, source: Source, depth: number): unknown {
  // No reader accepts such a value.
  if (depth > MAX_DEPTH) return MASK
  if (typeof value === 'string') return mask(value, source)
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => maskValue(item, source, depth + 1))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (!isJsonObject(value)) return value
  let isChanged = false
  const entries = Object.entries(value).map(([key, item]) => {
    const masked = [mask(key, source), maskValue(item, source, depth + 1)] as const
    isChanged ||= masked[0] !== key || masked[1] !== item
    return masked
  })
  return isChanged ? Object.fromEntries(entries) : value
}

/**
 * Replaces the secrets that this process has sent or received, such as tokens and the keys in headers, by `***` in a body, also where JSON escapes their
 * characters. `origin` is that of the server that sent the body.
 */
export function maskBody(text: string, origin?: string): string {
  requireArguments('maskBody(text, …)', [text, 'string'])
  const value = parseJson(text)
  const masked = maskJson(value, origin)
  return maskText(masked === value ? text : JSON.stringify(masked), origin)
}
