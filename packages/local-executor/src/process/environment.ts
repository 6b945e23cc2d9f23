import { delimiter, isAbsolute } from 'node:path'

/** A process's variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Who and where the user is, and what text looks like. */
const USER = 'PATH HOME USER LOGNAME LANG LC_* TZ TMPDIR TERM SHELL TOOL_*'

/**
 * Where parts of the home folder are, if not at their usual places: who gets HOME would look for its own files in the wrong place without
 * them. XDG_RUNTIME_DIR is left out, because sockets are in it that give more rights than files do.
 */
const HOME_PARTS = 'XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME'

/** Through which proxy the network is reached. Their addresses may contain a password; without them nothing is reached. */
const PROXIES =
  'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy NODE_USE_ENV_PROXY'

/**
 * Which certificate authorities are trusted: names of files and folders, and whether the system's count. What switches a check off is
 * not among them, such as NODE_TLS_REJECT_UNAUTHORIZED and GIT_SSL_NO_VERIFY.
 */
const AUTHORITIES =
  'SSL_CERT_FILE SSL_CERT_DIR NIX_SSL_CERT_FILE NODE_EXTRA_CA_CERTS NODE_USE_SYSTEM_CA REQUESTS_CA_BUNDLE CURL_CA_BUNDLE PIP_CERT UV_SYSTEM_CERTS UV_NATIVE_TLS GIT_SSL_CAINFO GIT_SSL_CAPATH AWS_CA_BUNDLE CARGO_HTTP_CAINFO DENO_CERT DENO_TLS_CA_STORE'

/** What every program gets of the host's variables; docs/configuration.md lists them, and a test holds it to that. */
export const USUAL: readonly string[] = [USER, HOME_PARTS, PROXIES, AUTHORITIES].flatMap((names) =>
  names.split(' '),
)

/** What programs on Windows cannot start or find themselves without. */
const WINDOWS =
  'Path PATHEXT SystemRoot SystemDrive windir ComSpec TEMP TMP USERPROFILE USERNAME HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA'.split(
    ' ',
  )

/** The variables of this process, as they are now. */
export function hostEnvironment(): Environment {
  return process.env
}

/** What a definition says about variables. */
export interface EnvironmentRules {
  /** Names of the host's variables to let through; one that ends in `*` is a prefix. */
  readonly env: readonly string[]
  readonly setEnv: Environment
}

/** The variables of a tool: an allow-list, so that tokens and loader switches stay with the host. */
export function toolEnvironment(
  host: Environment,
  { env, setEnv }: EnvironmentRules,
  system: 'windows' | 'posix',
): Environment {
  const own = system === 'windows' ? [...USUAL, ...WINDOWS] : USUAL
  const allowed = [...own, ...env]
  const names = new Set(allowed)
  const prefixes = allowed.flatMap((rule) => (rule.endsWith('*') ? [rule.slice(0, -1)] : []))
  const isAllowed = (name: string): boolean =>
    names.has(name) || prefixes.some((prefix) => name.startsWith(prefix))
  const passed = Object.entries(host).filter(([name]) => isAllowed(name))
  return withCleanPath({ ...Object.fromEntries(passed), ...setEnv }, system)
}

/** Drops what makes a `PATH` search the working directory: empty and relative elements. */
export function withCleanPath(env: Environment, system: 'windows' | 'posix'): Environment {
  const path = env['PATH'] ?? (system === 'windows' ? env['Path'] : undefined)
  if (path === undefined) return env
  return { ...env, PATH: path.split(delimiter).filter(isAbsolute).join(delimiter) }
}

/** Windows has neither process groups nor a POSIX shell. */
export const ON_WINDOWS = process.platform === 'win32'

/** Only Linux shows processes, their groups and environments, in /proc. */
export const ON_LINUX = process.platform === 'linux'
