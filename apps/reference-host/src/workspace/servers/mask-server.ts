import type { ServerConfiguration } from '../configuration/server-schema.ts'

/** A server in the format of `[mcp.servers.NAME]`: how it is started or reached. */
export type ServerTable = Pick<
  ServerConfiguration,
  'command' | 'args' | 'env' | 'cwd' | 'url' | 'headers'
>

/** What is shown in place of a secret. */
const MASK = '***'

const SECRET_NAME = /key|token|secret|passw|pwd|auth|credential|cookie|signature|\bpat\b|_pat$/i

/** Decides whether the value of a variable, a header or an argument is masked. */
type SecretRule = (name: string, value: string) => boolean

/** Whether a value is probably a secret: by its name, by how it begins, by a password in an address, or because it is a long text of letters and digits. */
export function isSecret(name: string, value: string): boolean {
  const literal = getLiteral(value)
  return (
    isNamedSecret(name, value) ||
    isKnownSecret(value) ||
    PASSWORD_IN_ADDRESS.test(literal) ||
    isRandom(literal)
  )
}

const PASSWORD_IN_ADDRESS = /^[a-z][a-z+.-]*:\/\/[^/?#@:]*:[^/?#@]+@/i

/** How the tokens of known services and the values of an `Authorization` header begin. */
const KNOWN_SECRET =
  /^(?:(?:bearer|basic) +|sk-|(?:sk|rk|pk)_(?:live|test)_|gh[opsur]_|github_pat_|glpat-|xox[a-z]-|npm_|hf_|AKIA|AIza|eyJ[\w-]+\.)[^\s$]/i

/** Whether a value begins like a secret, whatever its name and length. */
function isKnownSecret(value: string): boolean {
  return KNOWN_SECRET.test(value.trim())
}

/** One word that no shell and no program takes apart, with or without the scheme of a header. Other text may be run, so it is shown whole. */
const TOKEN = /^(?:(?:bearer|basic|token) +)?[^\s'"`;|&<>()\\]+$/i

/**
 * How the name of a secret ends. A name with such a word elsewhere may decide what runs: `GIT_CONFIG_KEY_0`, `PYTHON_KEYRING_BACKEND`, or
 * `--memory-protection-keys`, after which Node.js expects a program.
 */
const SECRET_END =
  /(?:key|token|secret|password|passwd|passphrase|pwd|auth|authorization|credentials?|cookie|signature|\bpat|_pat)[=:\s]*$/i

/** The beginning of a path. A program or a file of the folder may have any name. */
const PATH = /^(?:[./~]|[a-z]:[/\\])/i

/** Whether a value is a secret, and surely nothing that decides what runs. `text` is what a program runs: a variable that it names is a part of it. */
function isOnlySecret(name: string, value: string, text: string): boolean {
  const [bare = ''] = /[^=:\s]*/.exec(name) ?? []
  if (!TOKEN.test(value) || PATH.test(value) || (bare !== '' && text.includes(bare))) return false
  return isNamedSecret(name, value) && SECRET_END.test(name) && !/^-{1,2}no-/i.test(name)
}

/** Whether the name of a value says that it is a secret. */
function isNamedSecret(name: string, value: string): boolean {
  const literal = getLiteral(value)
  if (literal === '' || /^(?:bearer|basic|token)$/i.test(literal)) return false
  return SECRET_NAME.test(name)
}

/** Whether the end of a name says that its value is a secret. `author` and `X-Auth-Host` may decide where something is sent. */
function isSecretByEnd(name: string, value: string): boolean {
  return isNamedSecret(name, value) && SECRET_END.test(name)
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

/** How the names of variables end that name programs or options of programs. A file of the folder may be called `sk-1`. */
const NAMES_PROGRAM =
  /(?:ENV|OPTIONS|OPTS?|PATH|PRELOAD|LIBRARIES|COMMAND|SSH|STARTUP|SHELL|EDITOR|PAGER|ASKPASS)$/i

/** Which values are masked, by the place where they stand. */
interface Rules {
  args: SecretRule
  variables: SecretRule
  headers: SecretRule
  url: SecretRule
}

/** Replaces the values of variables and headers, and probable secrets in arguments and addresses. References such as `${TOKEN}` stay. */
export function maskServer(table: ServerTable): ServerTable {
  return maskTable(table, {
    args: isSecret,
    variables: () => true,
    headers: () => true,
    url: isSecret,
  })
}

/**
 * Replaces only single words whose names say that they are secrets, and variables and headers that begin like one. A person who decides about a server sees all else: a variable such as `NODE_OPTIONS`
 * or the name of a package may look like a secret, and decides which program runs.
 */
export function maskNamedSecrets(table: ServerTable): ServerTable {
  const text = findRunText([table.command ?? '', ...(table.args ?? [])])
  const isMasked: SecretRule = (name, value) => isOnlySecret(name, value, text)
  return maskTable(table, {
    args: isMasked,
    variables: (name, value) =>
      isMasked(name, value) ||
      (isKnownSecret(value) && TOKEN.test(value) && !NAMES_PROGRAM.test(name)),
    headers: (name, value) =>
      (isSecretByEnd(name, value) || isKnownSecret(value)) && TOKEN.test(value),
    url: (name, value) => isSecretByEnd(name, value) && TOKEN.test(value),
  })
}

function maskTable(
  table: ServerTable,
  { args, variables, headers, url: isMasked }: Rules,
): ServerTable {
  const url = maskUrl(table.url, isMasked)
  return {
    ...table,
    ...(table.args && {
      args: maskWords([table.command ?? '', ...table.args], args).slice(1),
    }),
    ...(url !== undefined && { url }),
    ...(table.env && { env: maskValues(table.env, variables) }),
    ...(table.headers && { headers: maskValues(table.headers, headers) }),
  }
}

function maskValues(
  values: Readonly<Record<string, string>>,
  isMasked: SecretRule,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isMasked(name, value) ? maskLiteral(value) : maskPassword(value),
    ]),
  )
}

/** Replaces the password of an address. */
function maskPassword(value: string): string {
  return PASSWORD_IN_ADDRESS.test(getLiteral(value))
    ? (maskUrl(value, () => false) ?? value)
    : value
}

/** Keeps references, and replaces the text around them. */
export function maskLiteral(value: string): string {
  const scheme = /^(?:Bearer|Basic|Token) /i.exec(value)?.[0] ?? ''
  const references = value.match(REFERENCE) ?? []
  const literal = value.slice(scheme.length).replaceAll(REFERENCE, '')
  return `${scheme}${literal === '' ? references.join('') : `${MASK}${references.join('')}`}`
}

/** The options after which shells and interpreters take text to run. */
const RUNS = /^(?:-[a-z]*[ce]|--(?:eval|print|exec|execute|command)|-(?:encoded)?command|\/[ck])$/i

/** Programs whose `-e` and `--env` set a variable. */
const CONTAINERS = /(?:^|[/\\])(?:docker|podman|nerdctl)(?:\.exe)?$/i

function isRunText(before: string, program: string): boolean {
  return RUNS.test(before) && !CONTAINERS.test(program)
}

/** Returns the texts that a program runs. */
function findRunText(args: readonly string[]): string {
  const [program = ''] = args
  return args.filter((_, index) => isRunText(args[index - 1] ?? '', program)).join('\n')
}

/**
 * Masks `--token=…`, the word after `--token`, `TOKEN=…`, `Authorization: …`, and words that look random. The first word is the program. Text that a
 * program runs is never masked.
 */
export function maskWords(
  args: readonly string[],
  isMasked: SecretRule = isSecret,
): readonly string[] {
  const [program = ''] = args
  return args.map((word, index) => {
    const before = args[index - 1] ?? ''
    if (isRunText(before, program)) return word
    const isValue = /^-{1,2}[\w-]+$/.test(before) && !word.startsWith('-')
    return isValue && isNamedSecret(before, word) && isMasked(before, word)
      ? MASK
      : maskWord(word, isMasked)
  })
}

function maskWord(word: string, isMasked: SecretRule): string {
  if (/^[a-z][a-z+.-]*:\/\//i.test(word)) return maskUrl(word, isMasked) ?? word
  const { name, value } = /^(?<name>[\w-]+(?:=|:\s*))(?<value>.+)$/s.exec(word)?.groups ?? {}
  if (name !== undefined && value !== undefined)
    return `${name}${isMasked(name, value) ? MASK : maskPassword(value)}`
  return isMasked('', word) && !/^[a-z]+(?:-[a-z\d]+)*$/.test(word) ? MASK : word
}

/** Masks an address for a person who decides: what else it says stays. */
export function maskNamedAddress(url: string): string {
  return maskNamedSecrets({ url }).url ?? url
}

/** Masks the value of a header for a person who decides. */
export function maskHeader(name: string, value: string): string {
  return maskNamedSecrets({ headers: { [name]: value } }).headers?.[name] ?? value
}

/** Stands for a reference to a variable while an address is read. */
const HOLE = '\uE000'

/**
 * Replaces the password of an address, a token in place of a user, and values of its query whose names are those of secrets. The address is shown as
 * a client reads it (WHATWG URL): what stands before its host can be masked, and never the host. References to variables stay.
 */
export function maskUrl(
  text: string | undefined,
  isMasked: SecretRule = isSecret,
): string | undefined {
  if (text === undefined) return text
  const references = text.match(REFERENCE) ?? []
  const [, address = '', query = ''] =
    /^([^?#]*)(.*)$/s.exec(
      normalizeAddress(text.replaceAll(HOLE, encodeURIComponent(HOLE)).replaceAll(REFERENCE, HOLE)),
    ) ?? []
  const start = address.replace(
    /^([a-z][a-z\d+.-]*:\/\/)([^/]*)@/i,
    (_, scheme: string, user: string) => `${scheme}${maskUser(user, isMasked)}@`,
  )
  const masked = `${start}${query.replaceAll(
    /([?&#])([^=&#]+)=([^&#]*)/g,
    (whole, mark: string, name: string, value: string) =>
      isMasked(name, value.replaceAll(HOLE, '${_}')) ? `${mark}${name}=${hide(value)}` : whole,
  )}`
  let next = 0
  return masked.replaceAll(HOLE, () => references[next++] ?? '')
}

/**
 * Reads an address as a client does: of `https:/a\b`, the host is `a`. Blanks around it, and line breaks and tabs in it, do not count. A host is the one that the
 * client reaches, also if it is written with letters of other alphabets or with numbers in other forms.
 */
function normalizeAddress(text: string): string {
  const bare = text.replaceAll(/[\t\n\r]/g, '')
  // oxlint-disable-next-line no-control-regex -- what a client removes
  const [start, scheme] = /^[\u0000-\u0020]*(https?|wss?):[/\\]*/i.exec(bare) ?? []
  if (start === undefined) return text.replace(/^[^/?#]*:\/\/[^/?#]*/, encodeLetters)
  let end = bare.length
  while (bare.charCodeAt(end - 1) <= 0x20) end -= 1
  const address = bare
    .slice(start.length, end)
    .replace(/^[^?#]*/, (path) => path.replaceAll('\\', '/'))
    .replaceAll(' ', '%20')
  const { user = '', host = '' } = HOST.exec(address)?.groups ?? {}
  const rest = address.slice(user.length + host.length)
  return `${scheme}://${encodeLetters(user)}${readHost(host, `${scheme}://`)}${rest}`
}

/** Returns a host as a client reads it. Of one with a reference, only the letters are encoded that may look like others. */
function readHost(host: string, start: string): string {
  const read = host.includes(HOLE) ? undefined : URL.parse(start + host)?.hostname
  return read === undefined || read === host.toLowerCase() ? encodeLetters(host) : read
}

/** Encodes what is not ASCII: a letter that looks like a slash would make a user look like a host. */
function encodeLetters(text: string): string {
  return text.replaceAll(/[^\p{ASCII}\uE000]/gu, (letter) =>
    encodeURIComponent(letter.toWellFormed()),
  )
}

const HOST = /^(?<user>[^/?#]*@)?(?<host>\[[^\]]*\]|[^/?#:]*)/

/** Masks what stands before the `@` of an address: a user and a password, or a token. */
function maskUser(user: string, isMasked: SecretRule): string {
  // The value of a reference may end the user: then the host is any text beside it but what stands directly after the colon: a password or a port.
  if (user.includes(HOLE))
    return user.replace(
      /^([^:@[]*:)(?!\d{1,5}(?:\uE000|$))[^\uE000@]+/,
      (_, name: string) => `${name}${MASK}`,
    )
  const colon = user.indexOf(':')
  const name = colon === -1 ? user : user.slice(0, colon)
  // A second `@` makes a name look like a host.
  const isHidden = name.includes('@') || (name !== '' && isToken(name, isMasked))
  const visible = isHidden ? hide(name) : name
  return colon === -1 ? visible : `${visible}:${hide(user.slice(colon + 1))}`
}

function isToken(name: string, isMasked: SecretRule): boolean {
  const literal = name.replaceAll(HOLE, '${_}')
  return isMasked('', literal) || isKnownSecret(literal)
}

/** Replaces the text around references. */
function hide(value: string): string {
  const references = value.replaceAll(/[^\uE000]/g, '')
  return references === value ? value : `${MASK}${references}`
}
