/** The hosts for which nobody uses a proxy. */
const LOCAL: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Adds to the error of a connection that a proxy of the environment was not used, and how Node.js uses it. Without this, a person behind a proxy reads
 * only that a host does not exist.
 */
export function nameUnusedProxy(
  error: unknown,
  { protocol, hostname }: URL,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): unknown {
  if (!(error instanceof Error) || LOCAL.has(hostname)) return error
  const isUsed = environment['NODE_USE_ENV_PROXY'] === '1'
  const names = [protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY', 'ALL_PROXY']
  const set = names
    .flatMap((name) => [name, name.toLowerCase()])
    .find((name) => environment[name] !== undefined && environment[name] !== '')
  if (isUsed || set === undefined) return error
  const { code, syscall, message } = error as NodeJS.ErrnoException
  const hint = `${set} is set, which Node.js uses only with NODE_USE_ENV_PROXY=1 (from versions 22.21 and 24.5)`
  return Object.assign(new Error(`${message}; ${hint}`), { code, syscall })
}
