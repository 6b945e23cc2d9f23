import { delimiter, isAbsolute } from 'node:path'

/** A process's variables. */
export type Environment = Readonly<Record<string, string | undefined>>

const USUAL = 'PATH HOME USER LOGNAME LANG LC_* TZ TMPDIR TERM SHELL TOOL_*'.split(' ')
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
  readonly setEnv: Readonly<Record<string, string>>
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
