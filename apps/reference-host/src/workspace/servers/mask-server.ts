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
      (isNamedSecret(name, value) || isKnownSecret(value)) && TOKEN.test(value),
    url: (name, value) => isNamedSecret(name, value) && TOKEN.test(value),
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
function maskLiteral(value: string): string {
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

/** Replaces the password of an address, a token in place of a user, and values of its query whose names are those of secrets. */
export function maskUrl(
  text: string | undefined,
  isMasked: SecretRule = isSecret,
): string | undefined {
  if (text === undefined) return undefined
  return text
    .replace(/^([a-z][a-z+.-]*:\/\/[^/?#@]*:)[^/?#@]*@/i, `$1${MASK}@`)
    .replace(/^([a-z][a-z+.-]*:\/\/)([^/?#@:]+)@/i, (whole, scheme: string, user: string) =>
      isMasked('', user) || isKnownSecret(user) ? `${scheme}${MASK}@` : whole,
    )
    .replaceAll(/([?&#])([^=&#]+)=([^&#]*)/g, (whole, mark: string, name: string, value: string) =>
      isMasked(name, value) ? `${mark}${name}=${MASK}` : whole,
    )
}
