import { delimiter, isAbsolute } from 'node:path'

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The user, the home folder, the language and the terminal. */
const USER = 'PATH HOME USER LOGNAME LANG LC_* TZ TMPDIR TERM SHELL TOOL_*'

/**
 * Folders of the user that are not at their usual places: without them a program with HOME would look for its files in the wrong place.
 * XDG_RUNTIME_DIR is omitted, because its sockets give more rights than files do.
 */
const HOME_PARTS = 'XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME'

/** Proxies of the network. Their addresses may contain a password; without them the network may not be reachable. */
const PROXIES =
  'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy NODE_USE_ENV_PROXY'

/**
 * Trusted certificate authorities: names of files and folders, and whether the system's are used. Variables that disable a check are not included,
 * such as NODE_TLS_REJECT_UNAUTHORIZED and GIT_SSL_NO_VERIFY.
 */
const AUTHORITIES =
  'SSL_CERT_FILE SSL_CERT_DIR NIX_SSL_CERT_FILE NODE_EXTRA_CA_CERTS NODE_USE_SYSTEM_CA REQUESTS_CA_BUNDLE CURL_CA_BUNDLE PIP_CERT UV_SYSTEM_CERTS UV_NATIVE_TLS GIT_SSL_CAINFO GIT_SSL_CAPATH AWS_CA_BUNDLE CARGO_HTTP_CAINFO DENO_CERT DENO_TLS_CA_STORE'

/** The host's variables that every program receives. docs/configuration.md lists them; a test compares the two. */
export const USUAL: readonly string[] = [USER, HOME_PARTS, PROXIES, AUTHORITIES].flatMap((names) =>
  names.split(' '),
)

/** Variables without which programs on Windows do not start or do not find their files. */
const WINDOWS =
  'Path PATHEXT SystemRoot SystemDrive windir ComSpec TEMP TMP USERPROFILE USERNAME HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA'.split(
    ' ',
  )

/** The variables of this process, as they are now. */
export function hostEnvironment(): Environment {
  return process.env
}

/** The rules of a definition for variables. */
export interface EnvironmentRules {
  /** Names of the host's variables to pass on; a name that ends in `*` is a prefix. */
  readonly env: readonly string[]
  readonly setEnv: Environment
}

/** Returns the variables of a tool. They are an allow-list, so that tokens and loader settings stay with the host. */
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

/** Removes the elements of `PATH` that would search the working directory: empty and relative ones. */
export function withCleanPath(env: Environment, system: 'windows' | 'posix'): Environment {
  const path = env['PATH'] ?? (system === 'windows' ? env['Path'] : undefined)
  if (path === undefined) return env
  return { ...env, PATH: path.split(delimiter).filter(isAbsolute).join(delimiter) }
}

/** Windows has neither process groups nor a POSIX shell. */
export const ON_WINDOWS = process.platform === 'win32'

/** Only Linux shows processes, their groups and environments, in /proc. */
export const ON_LINUX = process.platform === 'linux'
